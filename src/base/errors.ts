/**
 * Operating errors and bugs. An operating error has a closed `code`, says where (`place`) and what to do (`next`); each
 * layer subclasses `FcdError` with its own union of codes. A bug is an `InvariantError` and is caught only at the process
 * edge. A refusal is neither: refusals are values.
 */

/** Where an error is: a file as the user knows it (a path that they gave, or a path inside a release). Lines and columns are 1-based. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface FcdErrorDetails {
  readonly place?: Place;
  /** What the user should do next, as a full sentence. */
  readonly next?: string;
  readonly cause?: unknown;
}

export class FcdError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly place: Place | undefined;
  readonly next: string | undefined;

  constructor(code: Code, message: string, details: FcdErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.place = details.place;
    this.next = details.next;
  }
}

/** `file:line:column`, with the parts that are known. */
export function formatPlace(place: Place): string {
  const line = place.line === undefined ? '' : `:${place.line}`;
  const column = place.line === undefined || place.column === undefined ? '' : `:${place.column}`;
  return `${place.file}${line}${column}`;
}

/** A broken promise of the program itself. Never thrown for anything that an input can cause. */
export class InvariantError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'InvariantError';
  }
}

export function assertInvariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Ends an exhaustive switch: does not compile while a member of the union is left, and throws if one appears at run time. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected member of a closed union: ${describeForInvariant(value)}`);
}

function describeForInvariant(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'kind' in value) return String(value.kind);
  return String(value);
}
