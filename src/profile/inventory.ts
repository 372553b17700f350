/**
 * The reviewed list of callee identities of one library (or of a language's standard library), with a model for each.
 * This file is the loaded form; `load.ts` produces it from YAML, `schemas/inventory.schema.json` describes the YAML.
 *
 * Identities are canonical: `py:<module>#<Name>.<member>`; a call on a typed value continues the path of its type, so the
 * method `diff` of the attribute `git` of a `git.Repo` is `py:git#Repo.git.diff`, with `self` the Repo value.
 * A value of type T that is called is `T.__call__`; entered by `with`, `T.__enter__` and `T.__exit__`; iterated, `T.__iter__`.
 *
 * Expressions are CEL. In scope: the parameters bound by `parameters`, `self` (the typed root the access path starts at),
 * and the functions of `cel-functions.ts` (`flatten`, `dropNull`, `kind`, …), which docs/INVENTORIES.md lists.
 */
import type { CelNode } from './cel.js';

export interface CelText {
  readonly text: string;
  readonly ast: CelNode;
}

/** One way in which a call may throw. Without `when` and `as` it is a world fact of this very call. */
export interface ThrowModel {
  /** Canonical exception identity; absent = type unknown (any handler may or may not catch it). */
  readonly type?: string;
  /** Throws exactly when this holds. */
  readonly when?: CelText;
  /** Throws exactly when that other call would throw: names the same proposition (a reviewed relation). */
  readonly as?: { readonly callee: string; readonly arguments: readonly CelText[] };
}

export interface DimensionModel {
  readonly value: CelText;
  /** False: the value is only an approximation; an effect with an inexact dimension never matches another. */
  readonly exact: boolean;
}

/** The models of DESIGN.md section 5, plus `registers`/`serves` (what a server SDK does) and `intrinsic` (language semantics in code). */
export type Model =
  /** No effect, reads nothing; a function of its arguments. `function` names the concrete implementation used on constants. */
  | { readonly kind: 'pure'; readonly function: string }
  /** Reads the world. `resource` names what is read, for disclosure (a term built by CEL, for example `["repository", self]`). */
  | {
      readonly kind: 'observes';
      readonly resource?: CelText;
      /** Whether a result or error that depends on it discloses the resource. */ readonly disclosed: boolean;
    }
  /** Clock, random, generated id: a different unknown at each call. */
  | { readonly kind: 'fresh' }
  /** The result is this term. */
  | { readonly kind: 'returns'; readonly value: CelText }
  /** May refuse the call (see `throws`), returns nothing. */
  | { readonly kind: 'guard' }
  /** Reads a registered input, named by CEL text value such as `"env:" + name`. */
  | { readonly kind: 'input'; readonly name: CelText }
  | {
      readonly kind: 'effect';
      readonly operation: string;
      readonly dimensions: ReadonlyMap<string, DimensionModel>;
      /** What is touched, for disclosure of the result. */
      readonly resource?: CelText;
      /** Sets a protection (require encryption, set read-only). */
      readonly protective: boolean;
      /** An ordinary effect, or a read of a resource that the call legitimately opened. */
      readonly baseline: boolean;
      /** Conditions under which it is refused before anything happened. */
      readonly refuses: readonly ThrowModel[];
    }
  /** Calls the closure given as parameter `closure` with these arguments, inside an optional context; the result is its result. */
  | {
      readonly kind: 'calls';
      readonly closure: string;
      readonly arguments: readonly CelText[];
      readonly context?: { readonly operation: string; readonly dimensions: ReadonlyMap<string, DimensionModel> };
    }
  /** A context manager's enter: effects inside carry this context; `value` is what `as` binds (default: self). */
  | { readonly kind: 'context'; readonly operation: string; readonly dimensions: ReadonlyMap<string, DimensionModel>; readonly value?: CelText }
  /** Registers a closure with a server. `role` says as what; see `RegistrationRole`. */
  | {
      readonly kind: 'registers';
      readonly role: RegistrationRole;
      readonly fields: ReadonlyMap<string, CelText>;
      /** What the call returns: the handler itself, or nothing. */ readonly returns: 'handler' | 'none';
    }
  /** The server starts to serve: setup ends here. `server` names the server value. */
  | { readonly kind: 'serves'; readonly server: CelText }
  /** Implemented by the language's semantics, by name (container mutation, isinstance, generators as context managers …). */
  | { readonly kind: 'intrinsic'; readonly name: string }
  /** Recognised and outside the envelope: stops with `reason`. */
  | { readonly kind: 'refuse'; readonly reason: string };

/**
 * - `tool-dispatch`: one handler for all tools, called as `handler(name, arguments)`. Fields: `server`, `handler`, `validation`.
 * - `tool-list`: a handler that returns tool descriptors. Fields: `server`, `handler`.
 * - `tool`: one tool. Fields: `server`, `handler`, `name`, `schema` (optional), `validation`, `description` (optional).
 * - `other`: another handler (prompts, resources, notifications), kept so that its writes to shared state are seen. Fields: `server`, `handler`.
 * `validation` evaluates to text: `none` (arguments arrive as sent), `json-schema` (checked against the tool's inputSchema before the
 * handler, nothing filled in), `signature` (bound to the handler's typed parameters with coercion and defaults).
 */
export type RegistrationRole = 'tool-dispatch' | 'tool-list' | 'tool' | 'other';

export interface Form {
  /** Part of the behaviour's identity. Unique inside the entry. */
  readonly id: string;
  /** Version range of the dependency in which this form is how the callee behaves; also part of the behaviour's identity. */
  readonly versions: string;
  /** Must be decidable from the terms of the arguments. Absent: always. Forms are tried in order; the first that holds applies. */
  readonly when?: CelText;
  readonly model: Model;
  /** Type of the result, to continue the access path: an identity, `list<T>`, `dict<K,V>`, `optional<T>`, `str`, `bytes`, `int`, `float`, `bool`, `none`, `json`. */
  readonly type?: string;
  /** Empty array: never throws. */
  readonly throws: readonly ThrowModel[];
}

export interface InventoryEntry {
  readonly callee: string;
  /** Called, or read as an attribute (property). */
  readonly access: 'call' | 'attribute';
  /** A coroutine function: calling it does nothing, awaiting what it returns runs it. Absent: an ordinary one. */
  readonly async?: true;
  /** Parameter names in the style of the language: `path=None, *words, key=None, **options`. */
  readonly parameters: readonly EntryParameter[];
  readonly forms: readonly Form[];
  readonly note?: string;
  /** How reports speak of it. No part of the digest: wording decides nothing. */
  readonly words?: CalleeWords;
  /** SHA-256 of the entry's canonical JSON. */
  readonly digest: string;
}
/** Texts with parameters in braces, `{self}` for the receiver: `the repository at {path}`. */
export interface CalleeWords {
  /** What the call gives. */
  readonly value?: string;
  /** That the call does not throw, and that it throws. */
  readonly succeeds?: string;
  readonly fails?: string;
}
export interface EntryParameter {
  readonly name: string;
  readonly kind: 'positional-only' | 'positional' | 'keyword-only' | 'rest' | 'keyword-rest';
  /** Default as a constant; absent: required. */
  readonly default?: CelText;
}

/** A reviewed implication between propositions: whenever `call` throws, `implies` throws (both over the same variables). */
export interface Relation {
  readonly id: string;
  readonly versions: string;
  readonly reason: string;
  /** Calls as callee and argument patterns: a name is a variable, `_` matches anything. `self` first for methods. */
  readonly if: { readonly callee: string; readonly arguments: readonly string[]; readonly type?: string };
  readonly implies: { readonly callee: string; readonly arguments: readonly string[]; readonly type?: string };
  /** Extra condition over the variables, for example that a word is a plain revision. */
  readonly when?: CelText;
}

export interface Inventory {
  readonly id: string;
  readonly language: string;
  /** purl without version of the dependency whose resolved version selects forms; absent for a standard library. */
  readonly package?: string;
  /** Import names that are modules, so that `git.exc` is a module and `git.Repo` is not. */
  readonly modules: readonly string[];
  /** Other names of the same thing: re-exports. Key and value are canonical identities. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Exception (and other class) identities with their direct bases. */
  readonly classes: ReadonlyMap<string, readonly string[]>;
  /** Constants: attribute identities with a fixed value. */
  readonly constants: ReadonlyMap<string, CelText>;
  readonly entries: ReadonlyMap<string, InventoryEntry>;
  readonly relations: readonly Relation[];
  readonly digest: string;
}
