/** What the verifier finds, in its closed set of codes, and the tables that its two parts share. */
import type { FunctionId, ModuleId } from './nodes.js';
import type { Program } from './program.js';
import type { Span } from './span.js';

export type IrIssueCode =
  /** A local whose owner is neither a function nor the scope of a comprehension. */
  | 'local-without-owner'
  /** A local of an activation that is not around the code that uses it. */
  | 'local-out-of-scope'
  /** The target of a comprehension that its scope does not own. */
  | 'scope-target'
  | 'duplicate-id'
  /** An item that its table holds under another id. */
  | 'id-mismatch'
  | 'unknown-function'
  | 'unknown-class'
  | 'unknown-module'
  /** The function around a function is missing, of another module, inside the function, or not where it is made. */
  | 'parent-mismatch'
  | 'break-outside-loop'
  | 'yield-outside-generator'
  | 'await-outside-async'
  | 'return-outside-function'
  | 'rethrow-outside-handler'
  | 'cause-without-value'
  | 'catch-all-not-last'
  | 'else-without-handler'
  | 'several-starred'
  | 'target-shape'
  | 'pattern-shape'
  | 'comprehension-shape'
  | 'argument-order'
  | 'duplicate-name'
  | 'parameter-order'
  | 'delegate-without-value'
  | 'empty-list'
  | 'empty-name'
  | 'int-not-decimal'
  | 'bytes-not-hex'
  /** A function assigns a variable that outlives its activation and does not say so in `writesOuter`. */
  | 'unlisted-write'
  | 'bad-span'
  | 'too-deep';

export interface IrIssue {
  readonly code: IrIssueCode;
  readonly message: string;
  readonly place: Span;
}

export type ReportIssue = (code: IrIssueCode, message: string, place: Span) => void;

/** A comprehension's activation. */
export interface ScopeFacts {
  /** The activation around it; absent at module level. */
  readonly around?: FunctionId;
  /** Runs when it is consumed: it may wait wherever it is made. */
  readonly lazy: boolean;
}

/** What is known of the whole program before its code is read. */
export interface VerifyTables {
  readonly program: Program;
  readonly scopes: ReadonlyMap<FunctionId, ScopeFacts>;
  readonly report: ReportIssue;
}

/** From the activation outwards, each once: a circle ends where it closes. */
export function activationsAround(tables: VerifyTables, activation: FunctionId | undefined): FunctionId[] {
  const chain: FunctionId[] = [];
  let at = activation;
  while (at !== undefined && !chain.includes(at)) {
    chain.push(at);
    at = tables.scopes.has(at) ? tables.scopes.get(at)?.around : tables.program.functions.get(at)?.parent;
  }
  return chain;
}

export function checkModule(tables: VerifyTables, id: ModuleId, what: string, place: Span): void {
  if (!tables.program.modules.has(id)) tables.report('unknown-module', `${what} is in the module ${id}, which the program does not have`, place);
}
