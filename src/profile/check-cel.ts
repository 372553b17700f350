/** What is wrong with an expression beyond its syntax: names that are not in scope, functions that do not exist, wrong arity. */
import { unreachable } from '../base/errors.js';
import { CEL_FORBIDDEN, CEL_FUNCTIONS, CEL_OPERATORS } from './cel-functions.js';
import type { CelNode } from './cel.js';
import type { LintCode } from './finding.js';
import type { CelText } from './inventory.js';
import { nearest } from './nearest.js';

export interface CelProblem {
  readonly code: LintCode;
  readonly message: string;
  readonly fix: string;
  /** Where the name at fault is first written in the text. */
  readonly offset: number;
}

export function checkCel(cel: CelText, scope: ReadonlySet<string>): readonly CelProblem[] {
  const problems: CelProblem[] = [];
  visit(cel.ast, scope, (code, name, message, fix) => {
    problems.push({ code, message, fix, offset: Math.max(0, wordOffset(cel.text, name)) });
  });
  return problems;
}

/** Fields selected from a name: `args.target` for `args` is `target`. Names that a macro hides are not looked at. */
export function selectedFields(node: CelNode, name: string): readonly string[] {
  const fields: string[] = [];
  walk(node, (inner) => {
    const operand = inner.kind === 'select' || inner.kind === 'has' ? inner.operand : undefined;
    if (operand?.kind === 'identifier' && operand.name === name && (inner.kind === 'select' || inner.kind === 'has')) fields.push(inner.field);
    if (inner.kind === 'index' && inner.operand.kind === 'identifier' && inner.operand.name === name) {
      if (inner.index.kind === 'literal' && typeof inner.index.value === 'string') fields.push(inner.index.value);
    }
  });
  return fields;
}

export function identifiersOf(node: CelNode): ReadonlySet<string> {
  const names = new Set<string>();
  walk(node, (inner) => {
    if (inner.kind === 'identifier') names.add(inner.name);
  });
  return names;
}

type Report = (code: LintCode, name: string, message: string, fix: string) => void;

function visit(node: CelNode, scope: ReadonlySet<string>, report: Report): void {
  switch (node.kind) {
    case 'identifier':
      if (!scope.has(node.name)) report('cel-name-unknown', node.name, `the name "${node.name}" is not in scope`, namesFix(node.name, scope));
      return;
    case 'call':
      checkCall(node, report);
      break;
    case 'macro':
      visit(node.range, scope, report);
      visit(node.body, new Set([...scope, node.variable]), report);
      return;
    case 'literal':
    case 'select':
    case 'has':
    case 'index':
    case 'list':
    case 'map':
    case 'and':
    case 'or':
    case 'conditional':
      break;
    default:
      unreachable(node);
  }
  for (const child of children(node)) visit(child, scope, report);
}

function checkCall(node: Extract<CelNode, { kind: 'call' }>, report: Report): void {
  const name = node.function;
  if (node.target === undefined && CEL_OPERATORS.get(name) === node.arguments.length) return;
  const forbidden = CEL_FORBIDDEN.get(name);
  if (forbidden !== undefined)
    return report(
      'cel-function-forbidden',
      name,
      `"${name === 'neg' ? '-' : name}" is not allowed: ${forbidden}`,
      'Express it with the functions of docs/INVENTORIES.md.',
    );
  const style = node.target === undefined ? 'free' : 'member';
  const known = CEL_FUNCTIONS.get(`${style} ${name}`);
  if (known === undefined) {
    const names = [...CEL_FUNCTIONS.values()].map((entry) => entry.name);
    const near = nearest(name, names);
    const other = CEL_FUNCTIONS.has(`${style === 'free' ? 'member' : 'free'} ${name}`);
    const fix = other
      ? `Write ${style === 'free' ? `x.${name}(…)` : `${name}(x, …)`}.`
      : `${near === undefined ? '' : `Did you mean ${near}()? `}Functions are: ${[...new Set(names)].join(', ')}.`;
    return report('cel-function-unknown', name, `there is no function ${style === 'free' ? name : `x.${name}`}()`, fix);
  }
  if (known.arity !== node.arguments.length) {
    report('cel-function-arity', name, `${name}() takes ${known.arity} arguments, not ${node.arguments.length}`, known.meaning);
  }
}

export function children(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
    case 'has':
      return [node.operand];
    case 'index':
      return [node.operand, node.index];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'call':
      return node.target === undefined ? node.arguments : [node.target, ...node.arguments];
    case 'and':
    case 'or':
      return [node.left, node.right];
    case 'conditional':
      return [node.test, node.then, node.otherwise];
    case 'macro':
      return [node.range, node.body];
    default:
      return unreachable(node);
  }
}

function walk(node: CelNode, look: (node: CelNode) => void): void {
  look(node);
  for (const child of children(node)) walk(child, look);
}

function namesFix(name: string, scope: ReadonlySet<string>): string {
  if (scope.size === 0) return 'Only constants may stand here.';
  const near = nearest(name, scope);
  return `${near === undefined ? '' : `Did you mean "${near}"? `}Names here are: ${[...scope].join(', ')}.`;
}

function wordOffset(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    if (!/\w/.test(before) && !/\w/.test(after)) return at;
  }
  return text.indexOf(name);
}
