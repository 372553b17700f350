/**
 * The lowering compared with CPython's own reading of the same text (`reference-lowering.py`): grouping, evaluation order,
 * literals, and which variable of which activation every name is. An `unsupported` node agrees with anything, since it stops.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pythonFrontend } from '../../../../src/frontends/python/lower.js';
import type { Program } from '../../../../src/ir/program.js';
import type { Span } from '../../../../src/ir/span.js';

export const hasReference = spawnSync('python3', ['-c', 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)']).status === 0;

export type ReferenceInput = { readonly text: string } | { readonly module: string };
type Data = null | boolean | number | string | undefined | readonly Data[] | { readonly [key: string]: Data };
type DataRecord = { readonly [key: string]: Data };

interface Answer {
  readonly text?: string;
  readonly absent?: boolean;
  /** Why CPython does not compile it. */
  readonly refused?: string;
  readonly functions?: DataRecord;
  readonly classes?: DataRecord;
}

export interface Comparison {
  readonly refused: string | undefined;
  /** Functions that were lowered and agree. */
  readonly agreed: number;
  /** Functions and classes that the frontend did not lower. */
  readonly missing: readonly string[];
  readonly differences: readonly string[];
  readonly unsupported: readonly string[];
}

/** All in one process of the reference; a standard module that this Python does not have as source is left out. */
export async function compareWithReference(inputs: readonly ReferenceInput[]): Promise<Comparison[]> {
  const run = spawnSync('python3', [join(import.meta.dirname, 'reference-lowering.py')], { input: JSON.stringify(inputs), encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(run.stderr);
  const out: Comparison[] = [];
  for (const answer of JSON.parse(run.stdout) as Answer[]) if (answer.absent !== true) out.push(await compare(answer));
  return out;
}

async function compare(answer: Answer): Promise<Comparison> {
  const program = await pythonFrontend.lower({ files: [{ path: 'm.py', text: answer.text ?? '' }], roots: [''] });
  const normal = new Normaliser(program);
  const lowered = new Map([...program.functions.values()].map((fn) => [normal.label(fn.id), fn]));
  const differences: string[] = [];
  const missing: string[] = [];
  let agreed = 0;
  for (const [label, reference] of Object.entries(answer.functions ?? {})) {
    const fn = lowered.get(label);
    if (fn === undefined) {
      missing.push(label);
      continue;
    }
    const { name, async, generator, parameters, decorators, body } = fn;
    const difference = firstDifference(normal.of({ name, async, generator, parameters, decorators, body }), reference, label);
    if (difference === undefined) agreed += 1;
    else differences.push(difference);
  }
  const classes = new Map([...program.classes.values()].map((one) => [normal.label(one.id), one]));
  for (const [label, reference] of Object.entries(answer.classes ?? {})) {
    const one = classes.get(label);
    if (one === undefined) {
      missing.push(label);
      continue;
    }
    const difference = firstDifference({ name: one.name, methods: one.methods.map((method) => method.name) }, reference, label);
    if (difference !== undefined) differences.push(difference);
  }
  return { refused: answer.refused, agreed, missing, differences, unsupported: normal.unsupported };
}

/** The IR without spans and ids: functions, classes and scopes by their place, temporaries as the reference writes them. */
class Normaliser {
  readonly unsupported: string[] = [];
  private readonly labels = new Map<string, string>();

  constructor(program: Program) {
    for (const fn of program.functions.values()) this.labels.set(fn.id, place('fn', fn.span));
    for (const one of program.classes.values()) this.labels.set(one.id, place('class', one.span));
    for (const item of [...program.functions.values(), ...program.classes.values(), ...program.modules.values()]) this.findScopes(item);
  }

  label(id: string): string {
    return this.labels.get(id) ?? id;
  }

  of(node: unknown): Data {
    if (Array.isArray(node)) return node.map((one) => this.of(one));
    if (!isRecord(node)) return node as Data;
    if (node['kind'] === 'unsupported') {
      this.unsupported.push(`${String(node['code'])}: ${String(node['detail'])}`);
      return { any: true };
    }
    if (node['kind'] === 'assign-expression' && isTemporary(node['target'])) return { kept: this.of(node['value']) };
    if (isTemporary(node)) return { reused: true };
    const entries = Object.entries(node).filter(([key, value]) => key !== 'span' && key !== 'annotation' && value !== undefined);
    return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === 'string' && ID_KEYS.has(key) ? this.label(value) : this.of(value)]));
  }

  private findScopes(node: unknown): void {
    if (node instanceof Map) for (const value of node.values()) this.findScopes(value);
    else if (Array.isArray(node)) for (const value of node) this.findScopes(value);
    else if (isRecord(node)) {
      if (node['kind'] === 'comprehension') this.labels.set(String(node['scope']), place('scope', node['span'] as Span));
      for (const value of Object.values(node)) this.findScopes(value);
    }
  }
}

const ID_KEYS: ReadonlySet<string> = new Set(['owner', 'scope', 'function', 'class']);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTemporary(node: unknown): boolean {
  return isRecord(node) && node['kind'] === 'local' && typeof node['name'] === 'string' && node['name'].startsWith('.');
}

function place(kind: string, span: Span): string {
  return `${kind}@${String(span.line)}:${String(span.column)}`;
}

/** Reading a variable or a constant twice is what keeping it would give. */
const REPEATABLE: ReadonlySet<Data> = new Set(['local', 'constant']);

function firstDifference(lowered: Data, reference: Data, path: string): string | undefined {
  const differ = (): string => `${path}: ${shown(lowered)} is ${shown(reference)} in CPython`;
  if (isAny(lowered) || isAny(reference)) return undefined;
  if (isData(reference) && isData(lowered)) {
    if ('kept' in reference && !('kept' in lowered) && REPEATABLE.has(lowered['kind'])) return firstDifference(lowered, reference['kept'], path);
    if ('reused' in reference && REPEATABLE.has(lowered['kind'])) return undefined;
    if (lowered['kind'] !== reference['kind']) return differ();
    for (const key of new Set([...Object.keys(lowered), ...Object.keys(reference)])) {
      const difference = firstDifference(lowered[key], reference[key], `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (Array.isArray(lowered) && Array.isArray(reference)) {
    // What became one unsupported statement or element may have been several.
    if (lowered.length !== reference.length) return [...lowered, ...reference].some(isAny) ? undefined : differ();
    return reference.map((one, at) => firstDifference(lowered[at] as Data, one as Data, `${path}[${String(at)}]`)).find((difference) => difference !== undefined);
  }
  return Object.is(lowered, reference) ? undefined : differ();
}

function isData(value: Data): value is DataRecord {
  return isRecord(value);
}

function isAny(value: unknown): boolean {
  return isRecord(value) && value['any'] === true;
}

function shown(value: Data): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 160);
}
