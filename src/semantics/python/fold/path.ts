/**
 * Pure operations of `pathlib.PurePosixPath` and `os.path` (POSIX) on constants. A path is `py.pathlib.Path(text)` with the
 * text in pathlib's normal form, so equal paths are equal terms.
 */
import { TRUE } from '../../../analysis/guards.js';
import type { Store } from '../../../analysis/store.js';
import type { Term, TermId } from '../../../analysis/terms.js';
import { concatParts } from '../../../analysis/text-tests.js';
import { tupleTerm, text, type FoldFunction } from './values.js';

const PATH_FN = 'py.pathlib.Path';
const PATH_TYPE = 'py:pathlib#Path';

export function normalPath(value: string): string {
  const root = value.startsWith('//') && !value.startsWith('///') ? '//' : value.startsWith('/') ? '/' : '';
  const steps = value.split('/').filter((step) => step !== '' && step !== '.');
  return steps.length === 0 ? (root === '' ? '.' : root) : root + steps.join('/');
}

export function joinPaths(left: string, right: string): string {
  if (right.startsWith('/')) return normalPath(right);
  return normalPath(left === '.' ? right : `${left}/${right}`);
}

/** Normal text of a path term made from constants, or of constant text. */
function pathText(store: Store, id: TermId | undefined): string | undefined {
  if (id === undefined) return undefined;
  const plain = text(store, id);
  if (plain !== undefined) return normalPath(plain);
  const term = store.term(id);
  if (term.kind !== 'apply' || term.fn !== PATH_FN) return undefined;
  const inner = term.args.length === 1 ? text(store, term.args[0]) : undefined;
  return inner === undefined ? undefined : normalPath(inner);
}

function pathTerm(store: Store, value: string): TermId {
  return store.intern({ kind: 'apply', fn: PATH_FN, args: [store.string(value)], type: PATH_TYPE });
}

/** Items of a tuple of parts; undefined stands for parts that are not known. */
function partsOf(term: Extract<Term, { kind: 'list' }>): readonly (TermId | undefined)[] {
  return term.segments.flatMap((s): readonly (TermId | undefined)[] => (s.kind === 'items' && s.when === TRUE ? s.items : [undefined]));
}

/** The parts arrive one by one, or as one tuple. */
const path: FoldFunction = (store, args) => {
  const [first] = args;
  const term = first === undefined ? undefined : store.term(first);
  const parts = args.length === 1 && term?.kind === 'list' ? partsOf(term) : args;
  const texts = parts.map((part) => (part === undefined ? undefined : pathText(store, part)));
  if (texts.some((part) => part === undefined) || texts.length === 0) {
    // One part of unknown text is the path's only argument, however it was passed.
    const [only] = parts;
    if (parts.length === 1 && only !== undefined && (args.length !== 1 || only !== first))
      return store.intern({ kind: 'apply', fn: PATH_FN, args: [only], type: PATH_TYPE });
    return undefined;
  }
  const joined = texts.reduce<string>((left, right) => (left === '' ? right! : joinPaths(left, right!)), '');
  // Already the normal form of itself: keep the term, or the fold would not end.
  if (args.length === 1 && text(store, first) === joined) return undefined;
  return pathTerm(store, joined);
};

function onPath(f: (store: Store, value: string) => TermId): FoldFunction {
  return (store, [subject]) => {
    const value = pathText(store, subject);
    return value === undefined ? undefined : f(store, value);
  };
}

const join: FoldFunction = (store, [subject, ...others]) => {
  const left = pathText(store, subject);
  const right = others.map((other) => {
    const term = store.term(other);
    if (term.kind !== 'list') return pathText(store, other);
    const items = partsOf(term).map((part) => pathText(store, part));
    return items.some((item) => item === undefined) ? undefined : items.reduce<string>((a, b) => (a === '' ? b! : joinPaths(a, b!)), '');
  });
  if (left === undefined || right.some((part) => part === undefined)) return undefined;
  return pathTerm(
    store,
    right.reduce<string>((a, b) => (b === '' ? a : joinPaths(a, b!)), left),
  );
};

export function pathSteps(value: string): { root: string; steps: string[] } {
  const root = value.startsWith('//') && !value.startsWith('///') ? '//' : value.startsWith('/') ? '/' : '';
  return {
    root,
    steps:
      value === '.'
        ? []
        : value
            .slice(root.length)
            .split('/')
            .filter((step) => step !== ''),
  };
}

export function pathName(value: string): string {
  return pathSteps(value).steps.at(-1) ?? '';
}

export function pathSuffix(name: string): string {
  const at = name.lastIndexOf('.');
  return at > 0 && at < name.length - 1 ? name.slice(at) : '';
}

export function pathParent(value: string): string {
  const { root, steps } = pathSteps(value);
  if (steps.length === 0) return value;
  return normalPath(root + steps.slice(0, -1).join('/'));
}

/** Undefined: not relative to it. */
export function relativePath(value: string, other: string): string | undefined {
  const a = pathSteps(value);
  const b = pathSteps(other);
  if (a.root !== b.root || b.steps.length > a.steps.length || b.steps.some((step, at) => a.steps[at] !== step)) return undefined;
  return normalPath(a.steps.slice(b.steps.length).join('/'));
}

const relativeTo: FoldFunction = (store, [subject, other]) => {
  // A path is relative to itself, whatever it is.
  if (subject !== undefined && subject === other) return pathTerm(store, '.');
  const value = pathText(store, subject);
  const base = pathText(store, other);
  const relative = value === undefined || base === undefined ? undefined : relativePath(value, base);
  return relative === undefined ? undefined : pathTerm(store, relative);
};

const isRelativeTo: FoldFunction = (store, [subject, other]) => {
  if (subject !== undefined && subject === other) return store.true;
  const value = pathText(store, subject);
  const base = pathText(store, other);
  return value === undefined || base === undefined ? undefined : store.boolean(relativePath(value, base) !== undefined);
};

/** Paths are equal when their normal texts are. */
const equalPaths: FoldFunction = (store, [subject, other]) => {
  const value = pathText(store, subject);
  const isPath = other !== undefined && text(store, other) === undefined;
  const base = isPath ? pathText(store, other) : undefined;
  return value === undefined || base === undefined ? undefined : store.boolean(value === base);
};

export function posixJoin(parts: readonly string[]): string {
  return parts
    .slice(1)
    .reduce((left, right) => (right.startsWith('/') ? right : left === '' || left.endsWith('/') ? left + right : `${left}/${right}`), parts[0] ?? '');
}

export function posixNormalize(value: string): string {
  if (value === '') return '.';
  const root = value.startsWith('//') && !value.startsWith('///') ? '//' : value.startsWith('/') ? '/' : '';
  const out: string[] = [];
  for (const step of value.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..' || (root === '' && out.length === 0) || out.at(-1) === '..') out.push(step);
    else out.pop();
  }
  return root + out.join('/') || '.';
}

function onTexts(f: (values: readonly string[]) => string): FoldFunction {
  return (store, args) => {
    const values = args.flatMap((arg): (string | undefined)[] => {
      const term = store.term(arg);
      if (term.kind !== 'list') return [text(store, arg)];
      return partsOf(term).map((part) => text(store, part));
    });
    return values.every((value): value is string => value !== undefined) ? store.string(f(values)) : undefined;
  };
}

/** Whether text that is built from parts begins with a separator is known from its first part. */
const isAbsoluteText: FoldFunction = (store, [subject]) => {
  const value = text(store, subject) ?? (subject === undefined ? undefined : text(store, concatParts(store, subject)?.[0]));
  return value === undefined || value === '' ? undefined : store.boolean(value.startsWith('/'));
};

export const PATH_FOLDS: readonly (readonly [string, FoldFunction])[] = [
  [PATH_FN, path],
  ['py.pathlib.join', join],
  ['py.pathlib.text', onPath((store, value) => store.string(value))],
  ['py.pathlib.name', onPath((store, value) => store.string(pathName(value)))],
  ['py.pathlib.stem', onPath((store, value) => store.string(pathName(value).slice(0, pathName(value).length - pathSuffix(pathName(value)).length)))],
  ['py.pathlib.suffix', onPath((store, value) => store.string(pathSuffix(pathName(value))))],
  ['py.pathlib.parent', onPath((store, value) => pathTerm(store, pathParent(value)))],
  [
    'py.pathlib.parts',
    onPath((store, value) => tupleTerm(store, [...(pathSteps(value).root === '' ? [] : [pathSteps(value).root]), ...pathSteps(value).steps])),
  ],
  ['py.pathlib.is_absolute', onPath((store, value) => store.boolean(value.startsWith('/')))],
  ['py.pathlib.relative_to', relativeTo],
  ['py.pathlib.is_relative_to', isRelativeTo],
  ['py.pathlib.equal', equalPaths],
  ['py.os.path.join', onTexts(posixJoin)],
  ['py.os.path.normpath', onTexts(([value]) => posixNormalize(value ?? ''))],
  ['py.os.path.basename', onTexts(([value]) => (value ?? '').slice((value ?? '').lastIndexOf('/') + 1))],
  ['py.os.path.dirname', onTexts(([value]) => posixDirectory(value ?? ''))],
  ['py.os.path.isabs', isAbsoluteText],
];

export function posixDirectory(value: string): string {
  const head = value.slice(0, value.lastIndexOf('/') + 1);
  return head === '' || /^\/+$/.test(head) ? head : head.replace(/\/+$/, '');
}
