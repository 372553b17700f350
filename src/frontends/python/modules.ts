/**
 * One module: what each top-level name is. A name is proved only when exactly one unconditional statement binds it and
 * nothing anywhere rebinds it; everything else becomes an unsupported binding that stops whoever reads it.
 */
import type { UnsupportedCode } from '../../ir/nodes.js';
import type { Binding, Module } from '../../ir/program.js';
import type { Statement } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import type { Context } from './context.js';
import { lowerExpression } from './expressions.js';
import { lowerClass, lowerFunction } from './functions.js';
import { readImport } from './imports.js';
import { boundNames, targetNames } from './scopes.js';
import { lowerBlock } from './statements.js';
import { field, parts, stripParentheses, type SyntaxNode } from './syntax.js';

interface Candidate {
  readonly name: string;
  readonly span: Span;
  /** Builds the binding once all names of the module are known. */
  readonly bind: () => Binding;
  /** What an import statement binds it to. */
  readonly imports?: Binding;
}

/** Names that the top level binds, for other modules and for star imports. */
export function topLevelNames(root: SyntaxNode): { names: ReadonlySet<string>; all: readonly string[] | undefined } {
  const statements = parts(root);
  const bound = boundNames(statements);
  const all = statements.map((statement) => (statement.type === 'expression_statement' ? parts(statement)[0] : undefined)).find((inner) => inner?.type === 'assignment' && field(inner, 'left')?.text === '__all__');
  const list = all === undefined ? undefined : field(all, 'right');
  const items = list?.type === 'list' || list?.type === 'tuple' ? parts(list) : undefined;
  const literal = items?.every((item) => item.type === 'string') === true ? items.map((item) => parts(item).find((part) => part.type === 'string_content')?.text ?? '') : undefined;
  return { names: bound.names, all: literal };
}

export interface StarTarget {
  readonly names: readonly string[];
}

export function lowerModule(c: Context, root: SyntaxNode, globalWrites: ReadonlySet<string>, starNames: (module: string) => StarTarget | undefined): Module {
  const candidates: Candidate[] = [];
  const effects: (() => readonly Statement[])[] = [];
  const unproved = (names: Iterable<string>, node: SyntaxNode, code: UnsupportedCode, detail: string): void => {
    const span = c.span(node);
    for (const name of names) candidates.push({ name, span, bind: () => ({ kind: 'unsupported', code, detail, span }) });
  };
  for (const statement of parts(root)) topLevelStatement(c, statement, { candidates, effects, unproved, starNames });
  const counts = new Map<string, number>();
  for (const candidate of candidates) counts.set(candidate.name, (counts.get(candidate.name) ?? 0) + 1);
  // Names first, so that bodies can refer to anything of the module.
  for (const candidate of candidates) c.bindings.set(candidate.name, { kind: 'unsupported', code: 'ambiguous-binding', detail: 'not computed', span: candidate.span });
  dropRepeatedImports(candidates, counts);
  for (const name of globalWrites) if (!c.bindings.has(name)) c.bindings.set(name, { kind: 'unsupported', code: 'module-state', detail: `${name} is assigned by a function`, span: c.span(root) });
  for (const candidate of candidates) {
    const binding = candidate.bind();
    if (globalWrites.has(candidate.name)) c.bindings.set(candidate.name, { kind: 'unsupported', code: 'module-state', detail: `${candidate.name} is also assigned by a function`, span: candidate.span });
    else if ((counts.get(candidate.name) ?? 0) > 1) c.bindings.set(candidate.name, { kind: 'unsupported', code: binding.kind === 'unsupported' ? binding.code : 'rebound-name', detail: `${candidate.name} is bound more than once`, span: candidate.span });
    else c.bindings.set(candidate.name, binding);
  }
  return { id: c.module.id, file: c.module.file, bindings: c.bindings, effects: effects.flatMap((effect) => effect()) };
}

/** Importing the same thing twice binds the same thing. */
function dropRepeatedImports(candidates: readonly Candidate[], counts: Map<string, number>): void {
  for (const [name, count] of counts) {
    if (count < 2) continue;
    const bindings = candidates.filter((candidate) => candidate.name === name).map((candidate) => candidate.imports);
    const first = bindings[0];
    if (first !== undefined && bindings.every((binding) => binding !== undefined && isSameImport(first, binding))) counts.set(name, 1);
  }
}

function isSameImport(left: Binding, right: Binding): boolean {
  if (left.kind === 'external' && right.kind === 'external') return left.identity === right.identity;
  if (left.kind === 'module' && right.kind === 'module') return left.module === right.module;
  return left.kind === 'alias' && right.kind === 'alias' && left.module === right.module && left.name === right.name;
}

interface TopLevel {
  readonly candidates: Candidate[];
  readonly effects: (() => readonly Statement[])[];
  readonly unproved: (names: Iterable<string>, node: SyntaxNode, code: UnsupportedCode, detail: string) => void;
  readonly starNames: (module: string) => StarTarget | undefined;
}

function topLevelStatement(c: Context, statement: SyntaxNode, out: TopLevel): void {
  const span = c.span(statement);
  const effect = (): void => void out.effects.push(() => lowerBlock(c, [statement], undefined));
  switch (statement.type) {
    case 'import_statement':
    case 'import_from_statement':
    case 'future_import_statement': {
      const imported = readImport(c, statement);
      for (const { name, binding } of imported.names) out.candidates.push({ name, span, bind: () => refineAlias(c, binding), imports: binding });
      if (imported.star !== undefined) starImport(c, statement, imported.star, out);
      return;
    }
    case 'function_definition':
    case 'class_definition':
    case 'decorated_definition': {
      const definition = statement.type === 'decorated_definition' ? field(statement, 'definition') : statement;
      const name = definition === undefined ? undefined : field(definition, 'name');
      if (definition === undefined || name === undefined) return;
      const decorators = statement.type === 'decorated_definition' ? parts(statement).filter((part) => part.type === 'decorator') : [];
      const place = { scope: undefined, decorators, prefix: `${c.module.id}#` };
      out.candidates.push({
        name: name.text,
        span,
        bind: () => (definition.type === 'class_definition' ? { kind: 'class', class: lowerClass(c, definition, place), span } : { kind: 'function', function: lowerFunction(c, definition, place), span }),
      });
      return;
    }
    case 'expression_statement': {
      const inner = parts(statement)[0];
      if (inner?.type === 'assignment') topLevelAssignment(c, statement, inner, out);
      else if (inner?.type === 'augmented_assignment') out.unproved(targetNames(field(inner, 'left')!), statement, 'rebound-name', 'assigned in place');
      else if (inner?.type !== 'string' && inner?.type !== 'concatenated_string') {
        out.unproved(boundNames([statement]).names, statement, 'ambiguous-binding', 'bound inside an expression');
        effect();
      }
      return;
    }
    case 'if_statement':
      topLevelIf(c, statement, out, effect);
      return;
    case 'try_statement': {
      const isImport = parts(field(statement, 'body') ?? statement).some((part) => part.type.startsWith('import_'));
      out.unproved(boundNames([statement]).names, statement, isImport ? 'conditional-import' : 'ambiguous-binding', 'bound inside try');
      effect();
      return;
    }
    case 'delete_statement':
      out.unproved(boundNames([statement]).names, statement, 'rebound-name', 'deleted');
      return;
    case 'type_alias_statement':
      out.unproved(boundNames([statement]).names, statement, 'ambiguous-binding', 'a type alias');
      return;
    default:
      out.unproved(boundNames([statement]).names, statement, 'ambiguous-binding', `bound inside ${statement.type.replaceAll('_', ' ')}`);
      effect();
  }
}

/** `from . import x`: the package's own name wins, then the submodule. */
function refineAlias(c: Context, binding: Binding): Binding {
  if (binding.kind !== 'alias' || c.project.binds(binding.module, binding.name)) return binding;
  const inner = `${binding.module}.${binding.name}`;
  return c.project.has(inner) ? { kind: 'module', module: inner, span: binding.span } : binding;
}

function starImport(c: Context, statement: SyntaxNode, star: { module: string; inProject: boolean }, out: TopLevel): void {
  const span = c.span(statement);
  const target = star.inProject ? out.starNames(star.module) : undefined;
  if (target === undefined) {
    c.externalStar = span;
    return;
  }
  for (const name of target.names) out.candidates.push({ name, span, bind: () => ({ kind: 'alias', module: star.module, name, span }) });
}

function topLevelAssignment(c: Context, statement: SyntaxNode, assignment: SyntaxNode, out: TopLevel): void {
  const span = c.span(statement);
  const names: string[] = [];
  let at: SyntaxNode | undefined = assignment;
  let value: SyntaxNode | undefined;
  while (at?.type === 'assignment') {
    const left = stripParentheses(field(at, 'left')!);
    value = field(at, 'right');
    if (left.type === 'identifier') names.push(left.text);
    else {
      out.unproved(targetNames(left), statement, 'ambiguous-binding', 'bound by destructuring');
      out.effects.push(() => lowerBlock(c, [statement], undefined));
    }
    at = value;
  }
  if (value === undefined) return;
  const only = value;
  if (names.length > 1) out.unproved(names, statement, 'ambiguous-binding', 'bound together with other names');
  else for (const name of names) out.candidates.push({ name, span, bind: () => ({ kind: 'value', value: lowerExpression(c, only, undefined), span }) });
  // A walrus inside the value binds too.
  out.unproved([...boundNames([only]).names].filter((name) => !names.includes(name)), statement, 'ambiguous-binding', 'bound inside an expression');
}

function topLevelIf(c: Context, statement: SyntaxNode, out: TopLevel, effect: () => void): void {
  const condition = stripParentheses(field(statement, 'condition')!);
  const hasAlternative = field(statement, 'alternative') !== undefined;
  // Never true at run time: names bound there are only for annotations.
  if (!hasAlternative && (condition.text === 'TYPE_CHECKING' || condition.text === 'typing.TYPE_CHECKING')) {
    out.unproved(boundNames([statement]).names, statement, 'conditional-import', 'bound for type checkers only');
    return;
  }
  // The module is imported, not run; only a package's __main__ is run.
  const isMain = /^__name__\s*==\s*["']__main__["']$/.test(condition.text);
  if (isMain && !hasAlternative && !c.module.id.endsWith('__main__')) return;
  out.unproved(boundNames([statement]).names, statement, 'ambiguous-binding', 'bound inside if');
  effect();
}
