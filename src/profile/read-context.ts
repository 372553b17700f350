/** What the steps of loading share: where things are, the parsing of expressions and ranges, and the findings so far. */
import type { Place } from '../base/errors.js';
import { checkRange, VersionError, type Ecosystem } from '../base/versions.js';
import { parseCel } from './cel-parse.js';
import { findingAt, throwOnErrors, type Finding, type FindingCode } from './finding.js';
import type { CelText } from './inventory.js';
import { identityPrefixOf } from './language.js';
import type { Path, YamlText } from './yaml-text.js';

export type Locate = (path: Path, at?: 'key' | 'value', offset?: number) => Place;

export class ReadContext {
  readonly language: string;
  readonly locate: Locate;
  readonly #ecosystem: Ecosystem;
  readonly #findings: Finding[] = [];

  constructor(yaml: YamlText, language: string, ecosystem: Ecosystem) {
    this.locate = (path, at, offset) => yaml.places.locate(yaml.data, path, at, offset);
    this.language = language;
    this.#ecosystem = ecosystem;
  }

  report(path: Path, code: FindingCode, message: string, fix: string, at: 'key' | 'value' = 'value', offset?: number): void {
    this.#findings.push(findingAt(this.locate(path, at, offset), code, message, fix));
  }

  throwIfBroken(): void {
    throwOnErrors(this.#findings);
  }

  cel(text: string, path: Path): CelText {
    const parsed = parseCel(text);
    if (parsed.kind === 'parsed') return { text, ast: parsed.ast };
    const fix = 'Correct the expression; docs/PROFILES.md lists what expressions may use.';
    this.report(path, parsed.code, `${parsed.message} (character ${parsed.offset + 1} of the expression)`, fix, 'value', parsed.offset);
    // The placeholder is never seen: a context with a finding throws.
    return { text, ast: { kind: 'literal', value: null } };
  }

  optionalCel(text: string | undefined, path: Path): CelText | undefined {
    return text === undefined ? undefined : this.cel(text, path);
  }

  cels(texts: readonly string[], path: Path): readonly CelText[] {
    return texts.map((text, index) => this.cel(text, [...path, index]));
  }

  range(range: string | undefined, path: Path): string {
    if (range === undefined) return '*';
    this.#checkRange(range, path);
    return range.trim();
  }

  /** A canonical identity must be of the language of the file. */
  identity(identity: string, path: Path, at: 'key' | 'value' = 'value'): string {
    const prefix = identityPrefixOf(this.language);
    if (!identity.startsWith(prefix)) {
      this.report(path, 'language-mismatch', `"${identity}" is not an identity of ${this.language}`, `Identities here begin with "${prefix}".`, at);
    }
    return identity;
  }

  #checkRange(range: string, path: Path): void {
    try {
      checkRange(this.#ecosystem, range);
    } catch (error) {
      if (!(error instanceof VersionError)) throw error;
      this.report(path, 'range-unreadable', error.message, error.next ?? 'Write "*" for every version.');
    }
  }
}
