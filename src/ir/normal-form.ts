/**
 * The structural digest: equal for code that differs only in the names of its variables, of the function itself and of the
 * functions and scopes inside it, or in its place and layout; different under every other change. Two things rest on it:
 * a structural opaque (effect-free code named by its digest and its inputs) and a reviewed model pinned to a helper.
 *
 * The normal form is the printed form with variables and ids numbered in order of first appearance; it goes on with every
 * function and class that is made inside. Printing tells different nodes apart, so equal text means equal structure.
 */
import { digestOf, type Digest } from '../base/digest.js';
import type { ClassId, FunctionId, Statement } from './nodes.js';
import { writeClass, writeFunction } from './print.js';
import type { Naming, PrintContext } from './print-expression.js';
import { writeStatements } from './print-statement.js';
import type { IrFunction, Program } from './program.js';
import { printName } from './text-form.js';

/** Where the functions and classes made inside are found. */
export type Definitions = Pick<Program, 'functions' | 'classes'>;

/** A variable that the code shares with its surroundings. */
export interface NormalVariable {
  readonly owner: FunctionId;
  readonly name: string;
}

export interface NormalForm {
  readonly digest: Digest;
  /** The text that is digested, for the reader of a difference. */
  readonly text: string;
  /**
   * Variables of activations that are not made inside the code, in order of first appearance: what goes in and comes out.
   * Codes of equal digest use them alike, one by one.
   */
  readonly variables: readonly NormalVariable[];
}

export function structuralDigest(code: IrFunction | readonly Statement[], definitions: Definitions): Digest {
  return normalForm(code, definitions).digest;
}

/** Of statements, the variables of the function that they stand in are shared too. */
export function normalForm(code: IrFunction | readonly Statement[], definitions: Definitions): NormalForm {
  const numbering = new Numbering(definitions);
  const lines = isStatements(code) ? writeStatements(code, numbering.context) : numbering.writeRoot(code);
  const text = [...lines, ...numbering.writeInside()].map((line) => `${line}\n`).join('');
  return { digest: digestOf(text), text, variables: numbering.shared() };
}

function isStatements(code: IrFunction | readonly Statement[]): code is readonly Statement[] {
  return Array.isArray(code);
}

interface Variable extends NormalVariable {
  readonly text: string;
}

class Numbering implements Naming {
  readonly context: PrintContext;
  readonly #definitions: Definitions;
  readonly #activations = new Map<FunctionId, number>();
  readonly #classes = new Map<ClassId, number>();
  readonly #variables = new Map<string, Variable>();
  /** Activations made by the code itself: their variables are its own. */
  readonly #own = new Set<FunctionId>();
  readonly #pending: (() => string[])[] = [];
  /** Variables that appeared in the function that is being written. */
  #seen = new Map<string, Set<Variable>>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
    this.context = { spans: false, owner: undefined, naming: this };
  }

  writeRoot(fn: IrFunction): string[] {
    this.#own.add(fn.id);
    return this.#writeFunction(fn);
  }

  /** The functions and classes made inside, as they were met. */
  writeInside(): string[] {
    const lines: string[] = [];
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) lines.push(...next());
    return lines;
  }

  shared(): NormalVariable[] {
    return [...this.#variables.values()].filter(({ owner }) => !this.#own.has(owner)).map(({ owner, name }) => ({ owner, name }));
  }

  local(owner: FunctionId, name: string): string {
    const key = JSON.stringify([owner, name]);
    let variable = this.#variables.get(key);
    if (variable === undefined) {
      variable = { owner, name, text: `${this.#activation(owner)}.${this.#variables.size}` };
      this.#variables.set(key, variable);
    }
    const seen = this.#seen.get(name) ?? new Set();
    this.#seen.set(name, seen.add(variable));
    return `%${variable.text}`;
  }

  parameter(owner: FunctionId, name: string): string {
    return this.local(owner, name);
  }

  function(id: FunctionId): string {
    const fn = this.#definitions.functions.get(id);
    if (fn !== undefined && !this.#own.has(id)) {
      this.#own.add(id);
      this.#pending.push(() => this.#writeFunction(fn));
    }
    return this.parent(id);
  }

  /** By its number only: the function around the code is not part of it. */
  parent(id: FunctionId): string {
    return `function.${this.#activation(id)}`;
  }

  class(id: ClassId): string {
    let number = this.#classes.get(id);
    if (number === undefined) {
      number = this.#classes.size;
      this.#classes.set(id, number);
      const definition = this.#definitions.classes.get(id);
      if (definition !== undefined) this.#pending.push(() => writeClass(definition, this.context));
    }
    return `class.${number}`;
  }

  scope(id: FunctionId): string {
    this.#own.add(id);
    return `scope.${this.#activation(id)}`;
  }

  /** Module variables by their names, others by their numbers; sorted, since the frontend may sort by name. */
  writes(fn: IrFunction): readonly string[] {
    return fn.writesOuter
      .flatMap((write) => {
        const variables = [...(this.#seen.get(write) ?? [])].filter((variable) => variable.owner !== fn.id);
        return variables.length === 0 ? [write.startsWith('@') ? write : printName(write)] : variables.map((variable) => `%${variable.text}`);
      })
      .sort();
  }

  #writeFunction(fn: IrFunction): string[] {
    this.#seen = new Map();
    return writeFunction(fn, this.context);
  }

  #activation(id: FunctionId): number {
    const known = this.#activations.get(id);
    if (known !== undefined) return known;
    const number = this.#activations.size;
    this.#activations.set(id, number);
    return number;
  }
}
