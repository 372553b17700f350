/** Errors at the edge of the process: how they are said, and which exit code they are. */
import { FcdError, formatPlace, InvariantError } from '../base/errors.js';
import { EXIT, type ExitCode, type Io } from './io.js';

export type UsageErrorCode = 'usage';

/** The command line itself is wrong. */
export class UsageError extends FcdError<UsageErrorCode> {
  constructor(message: string, next: string) {
    super('usage', message, { next });
  }
}

/** Codes of errors that the user mends by changing what was given; every other operating error means that nothing could be decided. */
const MENDED_BY_THE_USER: ReadonlySet<string> = new Set([
  'usage',
  // Names of releases.
  'purl-syntax',
  'spec-invalid',
  'purl-type-unsupported',
  'qualifier-unsupported',
  'version-needed',
  'path-missing',
  'package-missing',
  'version-missing',
  'archive-unsupported',
  'version-unreadable',
  'range-unreadable',
  // Tools, inputs, facts, calls.
  'tool-missing',
  'input-invalid',
  'fact-invalid',
  'call-invalid',
  'json-syntax',
  'json-duplicate-key',
  'json-lone-surrogate',
  'json-inexact-number',
  'json-too-deep',
]);

/** Profiles that cannot be loaded are configuration: the class has many codes, all of this kind. */
const CONFIGURATION_ERROR = 'ProfileError';

export function exitCodeOf(error: unknown): ExitCode {
  if (!isOperatingError(error)) return EXIT.bug;
  return error.name === CONFIGURATION_ERROR || MENDED_BY_THE_USER.has(error.code) ? EXIT.usage : EXIT.undecided;
}

/** Anything else is a bug. */
function isOperatingError(error: unknown): error is FcdError {
  return error instanceof FcdError;
}

export interface ErrorForm {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly next?: string;
}

export function errorForm(error: unknown): ErrorForm {
  if (!isOperatingError(error)) return { code: 'bug', message: error instanceof Error ? error.message : String(error) };
  return { code: error.code, message: error.message, ...error.place, ...(error.next === undefined ? {} : { next: error.next }) };
}

/** Says the error on standard error, and with `--json` also as a document on standard output. */
export async function reportError(error: unknown, io: Io, json: boolean): Promise<ExitCode> {
  io.err(errorText(error));
  if (json) await io.out(`${JSON.stringify({ error: errorForm(error) })}\n`);
  return exitCodeOf(error);
}

function errorText(error: unknown): string {
  if (!isOperatingError(error)) {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const kind = error instanceof InvariantError ? 'a promise of fcd itself is broken' : 'this error was not foreseen';
    return `fcd: ${kind}; please report it with the command line.\n${trace}\n`;
  }
  const findings = findingsOf(error);
  if (findings.length > 1) return `fcd: ${findings.length} problems\n${findings.map((finding) => `  ${indentLines(finding)}\n`).join('')}`;
  const place = error.place === undefined ? undefined : formatPlace(error.place);
  const where = place === undefined || error.message.includes(error.place?.file ?? '') ? '' : `${place}: `;
  return `fcd: ${where}${error.message}\n${error.next === undefined ? '' : `  ${error.next}\n`}`;
}

/** A profile error carries every finding. Read by shape, so that the edge of the process loads no profile code. */
function findingsOf(error: FcdError): readonly string[] {
  if (!('findings' in error) || !Array.isArray(error.findings)) return [];
  return (error.findings as readonly { file: string; line?: number; column?: number; message: string; fix: string }[]).map(
    (finding) => `${formatPlace(finding)}: ${finding.message}\n${finding.fix}`,
  );
}

function indentLines(text: string): string {
  return text.replaceAll('\n', '\n    ');
}
