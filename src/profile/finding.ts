/**
 * What the loader and the linter say about a profile or an inventory: a closed code, a place and a fix. A file that has
 * an `error` finding from the loader is not loaded at all; `ProfileError` then carries every finding, not only the first.
 */
import { FcdError, formatPlace, type Place } from '../base/errors.js';

export type LoadCode =
  | 'file-too-large'
  | 'file-unreadable'
  | 'yaml-syntax'
  | 'yaml-duplicate-key'
  | 'yaml-key-not-text'
  | 'yaml-alias-limit'
  | 'yaml-too-deep'
  | 'yaml-value-not-json'
  | 'schema-unknown-key'
  | 'schema-missing-key'
  | 'schema-wrong-type'
  | 'schema-not-allowed'
  | 'language-mismatch'
  | 'cel-syntax'
  | 'cel-unsupported'
  | 'range-unreadable'
  | 'parameters-syntax'
  | 'default-not-constant'
  | 'pack-missing'
  | 'duplicate-id'
  | 'duplicate-callee'
  | 'inventory-missing'
  | 'inventory-conflict'
  | 'alias-cycle'
  | 'class-cycle';

export type LintCode =
  | 'cel-name-unknown'
  | 'cel-function-unknown'
  | 'cel-function-arity'
  | 'cel-function-forbidden'
  | 'type-syntax'
  | 'type-without-entry'
  | 'exception-unknown'
  | 'callee-unknown'
  | 'callee-not-canonical'
  | 'form-unreachable'
  | 'versions-overlap'
  | 'versions-gap'
  | 'versions-without-package'
  | 'operation-unknown'
  | 'dimension-missing'
  | 'dimension-unknown'
  | 'parameter-unknown'
  | 'role-field-missing'
  | 'role-field-unknown'
  | 'attribute-with-parameters'
  | 'input-undeclared'
  | 'argument-duplicate'
  | 'argument-unknown'
  | 'relation-variable-unused'
  | 'relation-variable-unbound'
  | 'assumption-id'
  | 'reviewers-missing'
  | 'unfinished-text'
  | 'id-differs-from-file';

export type FindingCode = LoadCode | LintCode;

export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: FindingCode;
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** What to do, as a full sentence. */
  readonly fix: string;
}

/** A profile or inventory that was not loaded. The message is the first finding; `findings` has all of them. */
export class ProfileError extends FcdError<FindingCode> {
  readonly findings: readonly Finding[];

  constructor(first: Finding, rest: readonly Finding[] = []) {
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
    super(first.code, `${formatPlace(first)}: ${first.message}${more}`, { place: placeOf(first), next: first.fix });
    this.findings = [first, ...rest];
  }
}

export function findingAt(place: Place, code: FindingCode, message: string, fix: string, severity: Finding['severity'] = 'error'): Finding {
  return { severity, code, message, ...place, fix };
}

/** Throws when there is an error among the findings. */
export function throwOnErrors(findings: readonly Finding[]): void {
  const [first, ...rest] = findings.filter((finding) => finding.severity === 'error');
  if (first !== undefined) throw new ProfileError(first, rest);
}

/** `file:line:column: error code: message`, then the fix. */
export function formatFinding(finding: Finding): string {
  return `${formatPlace(finding)}: ${finding.severity} ${finding.code}: ${finding.message}\n  ${finding.fix}`;
}

function placeOf(finding: Finding): Place {
  return {
    file: finding.file,
    ...(finding.line === undefined ? {} : { line: finding.line }),
    ...(finding.column === undefined ? {} : { column: finding.column }),
  };
}
