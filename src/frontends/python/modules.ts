/**
 * One module: what each top-level name is. A name is proved only when exactly one unconditional statement binds it and
 * nothing anywhere rebinds it; everything else becomes an unsupported binding that stops whoever reads it, and its
 * statements are kept as effects.
 */
import type { Expression, UnsupportedCode } from '../../ir/nodes.js';
import type { Binding, Module } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { boundNames } from './bound-names.js';
import { lowerClass } from './classes.js';
import type { Context } from './context.js';
import { lowerExpression } from './expressions.js';
import { lowerFunction } from './functions.js';
import { readImport, resolveAlias } from './imports.js';
import { lowerBlock } from './statements.js';
import { field, isPlainText, parts, starImports, stripParentheses, type SyntaxNode } from './syntax.js';

/** One name that one statement binds. */
interface Candidate {
  readonly name: string;
  readonly span: Span;
  /** Builds the binding once all names of the module are known. */
  readonly bind: () => Binding;
  /** What an import statement binds it to; bound first, and importing the same thing twice binds the same thing. */
  readonly imports?: Binding;
  /** Why it is not proved, where it is not. */
  readonly code?: UnsupportedCode;
  /** Bound for type checkers only, or perhaps by a star import: gives way to any other candidate. */
  readonly weak?: true;
}

interface Step {
  readonly statement: SyntaxNode;
  readonly candidates: readonly Candidate[];
  /** Whether it does more than bind its names. */
  readonly effect: boolean;
  /** Any name may be bound here. */
  readonly bindsAnything: boolean;
}

export interface ModuleFacts {
  /** Names that functions of the module assign after `global`. */
  readonly globalWrites: ReadonlySet<string>;
  /** What a star import of a project module binds; undefined where that is not known. */
  readonly starNames: (module: string) => StarNames | undefined;
}

export interface StarNames {
  readonly names: readonly string[];
  /** Submodules, which are names of the package once anything has imported them. */
  readonly perhaps: readonly string[];
}

export function lowerModule(c: Context, root: SyntaxNode, facts: ModuleFacts): Module {
  const statements = parts(root);
  const checks = typeCheckingTests(c, statements);
  const steps = statements.flatMap((statement) => readStatement(c, statement, { ...facts, checks }));
  const candidates = steps.flatMap((step) => step.candidates);
  const firm = new Set(candidates.filter((candidate) => candidate.weak === undefined).map((candidate) => candidate.name));
  const live = candidates.filter((candidate) => candidate.weak === undefined || !firm.has(candidate.name));
  const byName = groupByName(live);
  // Names first, so that bodies can refer to anything of the module.
  for (const [name, [first]] of byName) if (first !== undefined) c.bindings.set(name, { kind: 'unsupported', code: 'ambiguous-binding', detail: 'it is needed to compute itself', span: first.span });
  for (const name of facts.globalWrites) if (!byName.has(name)) c.bindings.set(name, { kind: 'unsupported', code: 'module-state', detail: `${name} is assigned by a function`, span: c.span(root) });
  const refused = new Map<string, Binding>();
  const covered = namesBeforeStar(steps);
  for (const [name, all] of byName) {
    const stop = refusal(c, name, all, { covered: covered.has(name), byFunction: facts.globalWrites.has(name) });
    if (stop !== undefined) refused.set(name, stop);
  }
  const order = [...byName].sort(([, [a]], [, [b]]) => Number(a?.imports === undefined) - Number(b?.imports === undefined));
  for (const [name, all] of order) c.bindings.set(name, refused.get(name) ?? all.at(-1)!.bind());
  // What does not become a binding is kept as a statement.
  const isLost = (candidate: Candidate): boolean => candidate.imports === undefined && candidate.weak === undefined && refused.has(candidate.name);
  const effects = steps.flatMap((step) => (step.effect || step.candidates.some(isLost) ? lowerBlock(c, [step.statement], undefined) : []));
  return { id: c.module.id, file: c.module.file, bindings: c.bindings, effects };
}

function groupByName(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const byName = new Map<string, Candidate[]>();
  for (const candidate of candidates) byName.set(candidate.name, [...(byName.get(candidate.name) ?? []), candidate]);
  return byName;
}

/** Why a name is not what its statement binds it to; undefined where it is. */
function refusal(c: Context, name: string, all: readonly Candidate[], is: { readonly covered: boolean; readonly byFunction: boolean }): Binding | undefined {
  const last = all.at(-1)!;
  const stop = (code: UnsupportedCode, detail: string): Binding => ({ kind: 'unsupported', code, detail, span: last.span });
  if (is.byFunction) return stop('module-state', `${name} is also assigned by a function`);
  if (all.length > 1 && !isOneImport(all)) {
    const reason = all.find((candidate) => candidate.code !== undefined)?.code;
    return stop(reason ?? 'rebound-name', `${name} is bound more than once, first in line ${String(all[0]?.span.line)}`);
  }
  if (is.covered) return stop('star-import', `a star import after it may bind ${name} again`);
  const inner = `${c.module.id}.${name}`;
  if (c.module.isPackage && c.project.has(inner) && !comesFrom(last.imports, inner)) return stop('ambiguous-binding', `the package has a submodule ${name}, which takes the name when it is imported`);
  return undefined;
}

/** Whether an import has imported the submodule before it bound the name. */
function comesFrom(imports: Binding | undefined, module: string): boolean {
  return (imports?.kind === 'alias' || imports?.kind === 'module') && (imports.module === module || (imports.kind === 'alias' && `${imports.module}.${imports.name}` === module));
}

/** Names that are bound before something that may bind any name. */
function namesBeforeStar(steps: readonly Step[]): ReadonlySet<string> {
  const last = steps.findLastIndex((step) => step.bindsAnything);
  return new Set(steps.slice(0, last + 1).flatMap((step) => step.candidates.map((candidate) => candidate.name)));
}

function isOneImport(all: readonly Candidate[]): boolean {
  const first = all[0]?.imports;
  return first !== undefined && all.every(({ imports }) => imports !== undefined && isSameImport(first, imports));
}

function isSameImport(left: Binding, right: Binding): boolean {
  if (left.kind === 'external' && right.kind === 'external') return left.identity === right.identity;
  if (left.kind === 'module' && right.kind === 'module') return left.module === right.module;
  return left.kind === 'alias' && right.kind === 'alias' && left.module === right.module && left.name === right.name;
}

interface Reading extends ModuleFacts {
  /** Tests that are false at run time. */
  readonly checks: ReadonlySet<string>;
}

function readStatement(c: Context, statement: SyntaxNode, reading: Reading): Step[] {
  const span = c.span(statement);
  const step = (candidates: readonly Candidate[], effect: boolean, bindsAnything = false): Step[] => [{ statement, candidates, effect, bindsAnything }];
  const effect = (code: UnsupportedCode, detail: string): Step[] => {
    const stars = starImports(statement);
    if (stars.length > 0) c.externalStar = span;
    return step(unproved(c, statement, code, detail), true, stars.length > 0);
  };
  switch (statement.type) {
    case 'import_statement':
    case 'import_from_statement':
    case 'future_import_statement': {
      const imported = readImport(c, statement);
      if (imported.star !== undefined) return readStar(c, statement, imported.star, reading);
      return step(imported.names.map(({ name, binding }) => ({ name, span, bind: () => ownSubmodule(c, name, binding) ?? resolveAlias(c, binding), imports: binding })), false);
    }
    case 'function_definition':
    case 'class_definition':
    case 'decorated_definition':
      return readDefinition(c, statement) ?? effect('ambiguous-binding', 'a definition of an unknown form');
    case 'expression_statement': {
      const inner = parts(statement);
      const only = inner.length === 1 ? inner[0] : undefined;
      if (only !== undefined && isPlainText(only)) return [];
      if (only?.type === 'assignment') return readAssignment(c, statement, only) ?? effect('ambiguous-binding', 'bound together with other names');
      return effect(only?.type === 'augmented_assignment' ? 'rebound-name' : 'ambiguous-binding', only?.type === 'augmented_assignment' ? 'assigned in place' : 'bound inside an expression');
    }
    case 'if_statement':
      return readIf(c, statement, reading) ?? effect('ambiguous-binding', 'bound inside if');
    case 'try_statement': {
      const isImport = parts(field(statement, 'body') ?? statement).some((part) => part.type.startsWith('import_'));
      return effect(isImport ? 'conditional-import' : 'ambiguous-binding', 'bound inside try');
    }
    case 'delete_statement':
      return effect('rebound-name', 'deleted');
    case 'type_alias_statement':
      return effect('ambiguous-binding', 'a type alias');
    case 'pass_statement':
    case 'global_statement':
      return [];
    default:
      return effect('ambiguous-binding', `bound inside ${statement.type.replaceAll('_', ' ')}`);
  }
}

/** `from . import x` in a package that binds `x` by nothing else: the submodule. */
function ownSubmodule(c: Context, name: string, binding: Binding): Binding | undefined {
  if (binding.kind !== 'alias' || binding.module !== c.module.id || binding.name !== name) return undefined;
  const inner = `${binding.module}.${name}`;
  return c.project.has(inner) ? { kind: 'module', module: inner, span: binding.span } : undefined;
}

function unproved(c: Context, node: SyntaxNode, code: UnsupportedCode, detail: string): Candidate[] {
  const span = c.span(node);
  return [...boundNames([node]).names].map((name) => ({ name, span, code, bind: () => ({ kind: 'unsupported', code, detail, span }) }));
}

function readDefinition(c: Context, statement: SyntaxNode): Step[] | undefined {
  const span = c.span(statement);
  const definition = statement.type === 'decorated_definition' ? field(statement, 'definition') : statement;
  const name = definition === undefined ? undefined : field(definition, 'name');
  if (definition === undefined || name === undefined) return undefined;
  const decorators = statement.type === 'decorated_definition' ? parts(statement).filter((part) => part.type === 'decorator') : [];
  const place = { scope: undefined, decorators, prefix: `${c.module.id}#` };
  const bind = (): Binding => (definition.type === 'class_definition' ? { kind: 'class', class: lowerClass(c, definition, place), span } : { kind: 'function', function: lowerFunction(c, definition, place), span });
  // A walrus in a default or decorator binds too.
  const others = unproved(c, statement, 'ambiguous-binding', 'bound inside an expression').filter((candidate) => candidate.name !== name.text);
  return [{ statement, candidates: [{ name: name.text, span, bind }, ...others], effect: false, bindsAnything: false }];
}

/** `name = value`; undefined for any other assignment. */
function readAssignment(c: Context, statement: SyntaxNode, assignment: SyntaxNode): Step[] | undefined {
  const span = c.span(statement);
  const target = field(assignment, 'left');
  const value = field(assignment, 'right');
  const left = target === undefined ? undefined : stripParentheses(target);
  // An annotation alone binds nothing.
  if (left?.type === 'identifier' && value === undefined) return [];
  if (left?.type !== 'identifier' || value === undefined || value.type === 'assignment') return undefined;
  const lower = (): Expression => lowerExpression(c, value, undefined);
  const named: Candidate = { name: left.text, span, bind: () => ({ kind: 'value', value: lower(), span }) };
  const annotation = field(assignment, 'type');
  const inside = [value, ...(annotation === undefined ? [] : [annotation])].flatMap((part) => unproved(c, part, 'ambiguous-binding', 'bound inside an expression'));
  return [{ statement, candidates: [named, ...inside], effect: false, bindsAnything: false }];
}

function readStar(c: Context, statement: SyntaxNode, star: { readonly module: string; readonly inProject: boolean }, reading: Reading): Step[] {
  const span = c.span(statement);
  const target = star.inProject ? reading.starNames(star.module) : undefined;
  if (target === undefined) {
    c.externalStar = span;
    return [{ statement, candidates: [], effect: false, bindsAnything: true }];
  }
  const alias = (name: string): Binding => ({ kind: 'alias', module: star.module, name, span });
  const candidates = target.names.map((name): Candidate => ({ name, span, bind: () => resolveAlias(c, alias(name)), imports: alias(name) }));
  const perhaps = target.perhaps.map((name): Candidate => ({ name, span, weak: true, bind: () => ({ kind: 'unsupported', code: 'star-import', detail: `a submodule of ${star.module} may come with its star import`, span }) }));
  return [{ statement, candidates: [...candidates, ...perhaps], effect: false, bindsAnything: false }];
}

/** Texts of the tests that only type checkers find true: `TYPE_CHECKING` as imported, once. */
function typeCheckingTests(c: Context, statements: readonly SyntaxNode[]): ReadonlySet<string> {
  const bound = new Map<string, number>();
  const imported = new Map<string, string>();
  for (const statement of statements) {
    for (const name of boundNames([statement]).names) bound.set(name, (bound.get(name) ?? 0) + 1);
    if (!statement.type.startsWith('import_')) continue;
    for (const { name, binding } of readImport(c, statement).names) if (binding.kind === 'external') imported.set(name, binding.identity);
  }
  const tests = [...imported].flatMap(([name, identity]) => {
    if (bound.get(name) !== 1) return [];
    if (/^py:typing(?:_extensions)?#TYPE_CHECKING$/.test(identity)) return [name];
    return /^py:typing(?:_extensions)?$/.test(identity) ? [`${name}.TYPE_CHECKING`] : [];
  });
  return new Set(tests);
}

/** The branches of `if TYPE_CHECKING` and `if __name__ == "__main__"`; undefined for any other test. */
function readIf(c: Context, statement: SyntaxNode, reading: Reading): Step[] | undefined {
  const condition = field(statement, 'condition');
  const then = field(statement, 'consequence');
  const alternatives = statement.childrenForFieldName('alternative').filter((part) => part.isNamed);
  const other = alternatives[0];
  if (condition === undefined || then === undefined || alternatives.length > 1 || other?.type === 'elif_clause') return undefined;
  const otherwise = other === undefined ? undefined : field(other, 'body');
  const test = stripParentheses(condition);
  const negated = test.type === 'not_operator' ? field(test, 'argument') : undefined;
  if (reading.checks.has(stripParentheses(negated ?? test).text)) {
    const [forCheckers, forReal] = negated === undefined ? [then, otherwise] : [otherwise, then];
    const skipped = forCheckers === undefined ? [] : unproved(c, forCheckers, 'conditional-import', 'bound for type checkers only').map((candidate): Candidate => ({ ...candidate, weak: true }));
    return [{ statement, candidates: skipped, effect: false, bindsAnything: false }, ...(forReal === undefined ? [] : parts(forReal).flatMap((part) => readStatement(c, part, reading)))];
  }
  // The module is imported, not run; only a package's __main__ is run.
  const isMain = /^(?:__name__\s*==\s*["']__main__["']|["']__main__["']\s*==\s*__name__)$/.test(test.text);
  if (!isMain || other !== undefined || /(^|\.)__main__$/.test(c.module.id)) return undefined;
  return [{ statement, candidates: unproved(c, statement, 'ambiguous-binding', 'bound when the module is run as a program'), effect: true, bindsAnything: starImports(statement).length > 0 }];
}
