/** What a verb is: words for its help, and what it does. One file in `verbs/` each; `main.ts` knows them by name only. */
import type { ExitCode, Io } from './io.js';

export interface VerbArgument {
  /** `<release>`, or `[files...]` for any number. */
  readonly form: string;
  readonly description: string;
}

export interface VerbOption {
  /** `--json`, or `--tool <name>` with a value. */
  readonly flags: string;
  readonly description: string;
  /** May be given several times. */
  readonly repeats?: boolean;
  readonly required?: boolean;
}

export interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly VerbArgument[];
  readonly options: readonly VerbOption[];
  /** Command lines with a word on each, for the end of the help text. */
  readonly examples: readonly string[];
  /** More for the end of the help text: formats, exit codes. */
  readonly notes?: string;
  run(args: VerbArguments, io: Io): Promise<ExitCode>;
}

export interface VerbGroup {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly Verb[];
}

/** What was given on the command line, by the long name of the option. */
export class VerbArguments {
  readonly positionals: readonly string[];
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(positionals: readonly string[], options: Readonly<Record<string, unknown>>) {
    this.positionals = positionals;
    this.#options = options;
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  list(name: string): readonly string[] {
    const value: unknown = this.#options[name];
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }
}
