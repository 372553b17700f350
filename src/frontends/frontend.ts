/** What a frontend is: source text of one release in, a lowered program out. No IO but loading its own parser (host.ts). */
import type { Program } from '../ir/program.js';

export interface SourceFile {
  /** Path inside the release, with `/` separators. */
  readonly path: string;
  readonly text: string;
}

export interface LowerInput {
  readonly files: readonly SourceFile[];
  /** Folders that module names start from, '' for the top; found by the frontend when absent. */
  readonly roots?: readonly string[];
}

export interface Frontend {
  readonly language: string;
  /** Whether a file of the release is source that this frontend reads. */
  readonly reads: (path: string) => boolean;
  readonly lower: (input: LowerInput) => Promise<Program>;
}
