/**
 * The load-closure scan: writes anywhere in a module that could change what a proved name means. It over-approximates:
 * whatever is not surely a write to something local to the project's own objects is reported.
 */
import type { ForeignWrite } from '../../ir/program.js';
import type { Context } from './context.js';
import { field, parts, stripParentheses, type SyntaxNode } from './syntax.js';

/** Any name whatever may have been changed. */
export const ANYTHING = '*';

export function scanWrites(c: Context, root: SyntaxNode): readonly ForeignWrite[] {
  const writes: ForeignWrite[] = [];
  const report = (identity: string, node: SyntaxNode, how: ForeignWrite['how']): void => void writes.push({ identity, span: c.span(node), how });
  const visit = (node: SyntaxNode, inMethod: string | undefined): void => {
    let method = inMethod;
    if (node.type === 'function_definition') method = firstParameter(node) ?? inMethod;
    if (node.type === 'assignment' || node.type === 'augmented_assignment' || node.type === 'for_statement' || node.type === 'for_in_clause') {
      const left = field(node, 'left');
      if (left !== undefined) writtenTargets(left).forEach((target) => { reportTarget(c, target, method, report, 'attribute'); });
    }
    if (node.type === 'as_pattern_target') writtenTargets(node).forEach((target) => { reportTarget(c, target, method, report, 'attribute'); });
    if (node.type === 'delete_statement') parts(node).flatMap(writtenTargets).forEach((target) => { reportTarget(c, target, method, report, 'delete'); });
    if (node.type === 'call') reportCall(c, node, report);
    for (const part of parts(node)) visit(part, method);
  };
  visit(root, undefined);
  return writes;
}

function firstParameter(node: SyntaxNode): string | undefined {
  const parent = node.parent?.type === 'decorated_definition' ? node.parent.parent : node.parent;
  if (parent?.parent?.type !== 'class_definition') return undefined;
  const first = parts(field(node, 'parameters') ?? node)[0];
  return first === undefined ? undefined : first.type === 'identifier' ? first.text : parts(first)[0]?.text;
}

/** Members and elements that a target writes. */
function writtenTargets(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'attribute' || node.type === 'subscript') return [node];
  if (node.type === 'identifier') return [];
  return parts(node).flatMap(writtenTargets);
}

type Report = (identity: string, node: SyntaxNode, how: ForeignWrite['how']) => void;

function reportTarget(c: Context, target: SyntaxNode, self: string | undefined, report: Report, how: ForeignWrite['how']): void {
  const path = accessPath(target.type === 'subscript' ? stripParentheses(field(target, 'value')!) : target);
  if (target.type === 'subscript') {
    // Elements of the project's own collections are the evaluator's matter; those of modules are not.
    const identity = path === undefined ? undefined : pathIdentity(c, path);
    if (identity !== undefined && !identity.startsWith('@')) report(identity, target, identity.includes('environ') ? 'environment' : 'item');
    else if (identity !== undefined) report(identity, target, 'item');
    return;
  }
  const attribute = field(target, 'attribute')!.text;
  if (path === undefined) {
    report(`*.${attribute}`, target, how);
    return;
  }
  // `self.x = …` in a method writes a field of an instance.
  if (path[0] === self && path.length === 2) return;
  const identity = pathIdentity(c, path);
  if (identity !== undefined) report(identity, target, how);
  else report(`*.${attribute}`, target, how);
}

/** `a.b.c` as names; undefined for anything else at the root. */
function accessPath(node: SyntaxNode): string[] | undefined {
  const inner = stripParentheses(node);
  if (inner.type === 'identifier') return [inner.text];
  if (inner.type !== 'attribute') return undefined;
  const object = accessPath(field(inner, 'object')!);
  return object === undefined ? undefined : [...object, field(inner, 'attribute')!.text];
}

/** Identity of a path that starts at a module-level name, followed through plain aliases of the module. */
function pathIdentity(c: Context, path: readonly string[], trail: readonly string[] = []): string | undefined {
  const [root, ...rest] = path;
  if (root === undefined) return undefined;
  const binding = c.bindings.get(root);
  switch (binding?.kind) {
    case 'external':
      return rest.reduce((identity, name) => (identity.includes('#') ? `${identity}.${name}` : `${identity}#${name}`), binding.identity);
    case 'module':
      return rest.length === 0 ? undefined : `@${binding.module}::${rest.join('.')}`;
    case 'alias':
      return `@${binding.module}::${[binding.name, ...rest].join('.')}`;
    case 'function':
    case 'class':
      return `@${c.module.id}::${path.join('.')}`;
    case 'value': {
      const target = expressionPath(binding.value);
      if (target !== undefined && !trail.includes(root)) return pathIdentity(c, [...target, ...rest], [...trail, root]);
      return `@${c.module.id}::${path.join('.')}`;
    }
    case 'unsupported':
      return `@${c.module.id}::${path.join('.')}`;
    case undefined:
      return undefined;
  }
}

function expressionPath(value: import('../../ir/nodes.js').Expression): string[] | undefined {
  if (value.kind === 'module-variable') return [value.name];
  if (value.kind !== 'member') return undefined;
  const object = expressionPath(value.object);
  return object === undefined ? undefined : [...object, value.name];
}

const DANGEROUS: ReadonlyMap<string, string> = new Map([
  ['exec', ANYTHING],
  ['eval', ANYTHING],
  ['globals', ANYTHING],
  ['locals', ANYTHING],
  ['vars', ANYTHING],
  ['__import__', ANYTHING],
]);
const DANGEROUS_PATHS: ReadonlyMap<string, string> = new Map([
  ['py:importlib#import_module', ANYTHING],
  ['py:importlib#reload', ANYTHING],
  ['py:os#putenv', 'py:os#environ'],
  ['py:os#unsetenv', 'py:os#environ'],
  ['py:os#chdir', 'py:os#getcwd'],
]);

function reportCall(c: Context, node: SyntaxNode, report: Report): void {
  const callee = field(node, 'function');
  if (callee === undefined) return;
  const path = accessPath(callee);
  if (path === undefined) return;
  const root = path[0]!;
  if (path.length === 1 && !c.bindings.has(root)) {
    const dangerous = DANGEROUS.get(root);
    if (dangerous !== undefined) report(dangerous, node, 'global');
    if (root === 'setattr' || root === 'delattr') reportSetattr(c, node, report);
    return;
  }
  const identity = pathIdentity(c, path);
  if (identity === undefined) return;
  const dangerous = DANGEROUS_PATHS.get(identity);
  if (dangerous !== undefined) report(dangerous, node, dangerous === ANYTHING ? 'global' : 'environment');
  const environment = /^py:os#environ\.(update|setdefault|pop|popitem|clear)$/.exec(identity);
  if (environment !== null) report('py:os#environ', node, 'environment');
  const modules = /^py:sys#modules\.(update|setdefault|pop|popitem|clear)$/.exec(identity);
  if (modules !== null) report(ANYTHING, node, 'item');
}

function reportSetattr(c: Context, node: SyntaxNode, report: Report): void {
  const args = parts(field(node, 'arguments') ?? node);
  const [object, name] = args;
  const literal = name?.type === 'string' ? parts(name).find((part) => part.type === 'string_content')?.text : undefined;
  if (object === undefined || literal === undefined) {
    report(ANYTHING, node, 'setattr');
    return;
  }
  const path = accessPath(object);
  const identity = path === undefined ? undefined : pathIdentity(c, [...path, literal]);
  report(identity ?? `*.${literal}`, node, 'setattr');
}

