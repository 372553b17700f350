/**
 * Classes. What a class body does beyond naming fields and methods is kept as unsupported statements, which stop whoever
 * needs the class: its names could mean anything after them.
 */
import type { Expression, FunctionId, Statement, UnsupportedCode } from '../../ir/nodes.js';
import type { ClassField } from '../../ir/program.js';
import { lowerAnnotation } from './annotations.js';
import { boundNames } from './bound-names.js';
import type { Context } from './context.js';
import { lowerExpression } from './expressions.js';
import { lowerDecorator, lowerFunction, withTypeParameters, type FunctionPlace } from './functions.js';
import { mangled, type Scope } from './scopes.js';
import { field, isPlainText, parts, type SyntaxNode } from './syntax.js';

/** Methods by which a class changes what its members, its making or its subclasses mean. */
const HOOKS: ReadonlySet<string> = new Set(['__getattr__', '__getattribute__', '__setattr__', '__delattr__', '__init_subclass__', '__set_name__', '__class_getitem__', '__prepare__', '__mro_entries__', '__get__', '__set__', '__delete__', '__instancecheck__', '__subclasscheck__', '__subclasshook__', '__class__', '__dict__']);

interface ClassParts {
  readonly fields: ClassField[];
  readonly methods: { readonly name: string; readonly function: FunctionId }[];
  readonly refuse: (node: SyntaxNode, code: UnsupportedCode, detail: string) => void;
}

export function lowerClass(c: Context, node: SyntaxNode, place: FunctionPlace): string {
  const name = field(node, 'name')?.text ?? '<nameless>';
  const id = c.uniqueId(`${place.scope === undefined ? place.prefix : `${place.prefix}<locals>.`}${name}`);
  const span = c.span(node);
  const fields: ClassField[] = [];
  const methods: { name: string; function: FunctionId }[] = [];
  const unsupported: Statement[] = [];
  const bases: Expression[] = [];
  const refuse: ClassParts['refuse'] = (at, code, detail) => void unsupported.push({ kind: 'unsupported', span: c.span(at), code, detail });
  const decorators = place.decorators.map((decorator) => lowerDecorator(c, decorator, place.scope));
  c.program.classes.set(id, { id, name, module: c.module.id, span, bases, decorators, fields, methods, unsupported });
  const broken = c.problems.within(node);
  if (broken !== undefined) {
    refuse(broken.node, 'syntax-error', `the class ${name}: ${broken.detail}`);
    return id;
  }
  const around = withTypeParameters(node, place.scope);
  lowerBases(c, field(node, 'superclasses'), around, bases, refuse);
  const statements = parts(field(node, 'body') ?? node);
  const bound = boundNames(statements);
  const scope: Scope = { kind: 'class', id, ...bound, constants: new Map(), className: name, ...(around === undefined ? {} : { parent: around }) };
  const once = namesBoundOnce(statements);
  for (const statement of statements) lowerClassStatement(c, statement, scope, once, { fields, methods, refuse });
  refuseClashes(node, fields, methods, refuse);
  return id;
}

function lowerBases(c: Context, list: SyntaxNode | undefined, scope: Scope | undefined, bases: Expression[], refuse: ClassParts['refuse']): void {
  if (list === undefined) return;
  if (list.type !== 'argument_list') {
    refuse(list, 'unsupported-syntax', 'computed bases');
    return;
  }
  for (const base of parts(list)) {
    if (base.type === 'keyword_argument') refuse(base, 'metaclass', `the class is made with ${base.text}`);
    else if (base.type === 'list_splat' || base.type === 'dictionary_splat') refuse(base, 'unsupported-syntax', 'computed bases');
    else bases.push(lowerExpression(c, base, scope));
  }
}

/** Names that exactly one statement of the body binds, by a plain assignment: methods' defaults may read them. */
function namesBoundOnce(statements: readonly SyntaxNode[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const statement of statements) for (const name of boundNames([statement]).names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
}

function lowerClassStatement(c: Context, statement: SyntaxNode, scope: Scope, once: ReadonlySet<string>, out: ClassParts): void {
  const definition = statement.type === 'decorated_definition' ? field(statement, 'definition') : statement;
  const decorators = statement.type === 'decorated_definition' ? parts(statement).filter((part) => part.type === 'decorator') : [];
  const methodName = definition?.type === 'function_definition' ? field(definition, 'name')?.text : undefined;
  if (definition !== undefined && methodName !== undefined) {
    if (scope.globals.has(methodName)) out.refuse(statement, 'module-state', `${methodName} is a name of the module, defined in a class`);
    if (HOOKS.has(methodName)) out.refuse(statement, 'dynamic-name', `the class defines ${methodName}`);
    out.methods.push({ name: mangled(scope, methodName), function: lowerFunction(c, definition, { scope, decorators, prefix: `${scope.id}.` }) });
    return;
  }
  if (statement.type === 'pass_statement') return;
  const inner = statement.type === 'expression_statement' ? parts(statement)[0] : undefined;
  if (inner !== undefined && parts(statement).length === 1 && (isPlainText(inner) || inner.type === 'ellipsis')) return;
  if (inner?.type === 'assignment' && lowerField(c, statement, inner, scope, once, out)) return;
  out.refuse(statement, 'unsupported-syntax', `the statement ${statement.type.replaceAll('_', ' ')} in a class body`);
}

/** `name: type = value`, alone; whatever else an assignment may be is refused. */
function lowerField(c: Context, statement: SyntaxNode, assignment: SyntaxNode, scope: Scope, once: ReadonlySet<string>, out: ClassParts): boolean {
  const left = field(assignment, 'left');
  const right = field(assignment, 'right');
  const type = field(assignment, 'type');
  if (left?.type !== 'identifier' || right?.type === 'assignment' || scope.globals.has(left.text) || scope.nonlocals.has(left.text)) return false;
  // A walrus in the value binds another name of the class.
  if (right !== undefined && boundNames([right]).names.size > 0) return false;
  if (HOOKS.has(left.text)) out.refuse(statement, 'dynamic-name', `the class defines ${left.text}`);
  const value = right === undefined ? undefined : lowerExpression(c, right, scope);
  out.fields.push({
    name: mangled(scope, left.text),
    span: c.span(statement),
    ...(type === undefined ? {} : { annotation: lowerAnnotation(c, type, scope) }),
    ...(value === undefined ? {} : { default: value }),
  });
  if (value?.kind === 'constant' && once.has(left.text)) scope.constants?.set(left.text, value);
  return true;
}

/** A name that is a field twice, or a field and a method: which one an access finds depends on their order. */
function refuseClashes(node: SyntaxNode, fields: readonly ClassField[], methods: readonly { readonly name: string }[], refuse: ClassParts['refuse']): void {
  const seen = new Set(methods.map((method) => method.name));
  for (const { name, span } of fields) {
    if (seen.has(name)) refuse(node, 'ambiguous-binding', `${name} is bound more than once in the class, also in line ${String(span.line)}`);
    seen.add(name);
  }
}
