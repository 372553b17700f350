/** Imports: what each name refers to, inside the project or outside. */
import type { Expression, ModuleId, Statement } from '../../ir/nodes.js';
import type { Binding } from '../../ir/program.js';
import type { Context } from './context.js';
import { relativeModule, type Scope } from './scopes.js';
import { field, fields, parts, type SyntaxNode } from './syntax.js';
import { lowerTarget } from './targets.js';

export interface ImportedName {
  /** Name that the import binds. */
  readonly name: string;
  readonly node: SyntaxNode;
  readonly binding: Binding;
}
export interface ImportedNames {
  readonly names: readonly ImportedName[];
  /** Module of `from m import *`. */
  readonly star?: { readonly module: ModuleId; readonly inProject: boolean };
}

export function readImport(c: Context, node: SyntaxNode): ImportedNames {
  const span = c.span(node);
  if (node.type === 'future_import_statement') return { names: [] };
  if (node.type === 'import_statement') {
    return {
      names: fields(node, 'name').map((name) => {
        const alias = name.type === 'aliased_import' ? field(name, 'alias') : undefined;
        const module = dottedText(name.type === 'aliased_import' ? (field(name, 'name') ?? name) : name);
        const bound = alias === undefined ? module.split('.')[0]! : module;
        return { name: alias?.text ?? bound, node: name, binding: moduleBinding(c, bound, span) };
      }),
    };
  }
  const moduleNode = field(node, 'module_name');
  const module = moduleNode === undefined ? undefined : importedModule(c, moduleNode);
  if (module === undefined) {
    const failed: Binding = { kind: 'unsupported', code: 'unresolved-name', detail: 'a relative import leaves the package', span };
    return { names: importedNodes(node).map(({ name, node: at }) => ({ name, node: at, binding: failed })) };
  }
  if (parts(node).some((part) => part.type === 'wildcard_import')) return { names: [], star: { module, inProject: c.project.has(module) } };
  return {
    names: importedNodes(node).map(({ name, original, node: at }) => {
      const inner = `${module}.${original}`;
      if (c.project.has(module)) {
        // A submodule is found when the package itself does not bind the name; the evaluator looks in that order too.
        return { name, node: at, binding: { kind: 'alias', module, name: original, span } };
      }
      if (c.project.has(inner)) return { name, node: at, binding: { kind: 'module', module: inner, span } };
      return { name, node: at, binding: { kind: 'external', identity: `py:${module}#${original}`, span } };
    }),
  };
}

function moduleBinding(c: Context, module: ModuleId, span: import('../../ir/span.js').Span): Binding {
  return c.project.has(module) ? { kind: 'module', module, span } : { kind: 'external', identity: `py:${module}`, span };
}

function importedNodes(node: SyntaxNode): { name: string; original: string; node: SyntaxNode }[] {
  return fields(node, 'name').map((name) => {
    if (name.type !== 'aliased_import') return { name: name.text, original: name.text, node: name };
    return { name: field(name, 'alias')!.text, original: field(name, 'name')!.text, node: name };
  });
}

/** A dotted name may be written with spaces and line continuations. */
function dottedText(node: SyntaxNode): string {
  return node.text.replaceAll(/[\s\\]/g, '');
}

function importedModule(c: Context, node: SyntaxNode): ModuleId | undefined {
  if (node.type !== 'relative_import') return dottedText(node);
  const dots = node.text.replaceAll(/[^.]/g, '').length;
  const name = parts(node).find((part) => part.type === 'dotted_name');
  const rest = name === undefined ? '' : dottedText(name);
  const prefix = parts(node).find((part) => part.type === 'import_prefix')?.text ?? '.'.repeat(dots);
  return relativeModule(c.module.id, c.module.isPackage, prefix.replaceAll(/\s/g, '').length, rest);
}

/** Imports inside a function are assignments to locals. */
export function importStatements(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const imported = readImport(c, node);
  if (imported.star !== undefined) return [{ kind: 'unsupported', span, code: 'star-import', detail: `everything of ${imported.star.module} is imported` }];
  return imported.names.map(({ name, node: at, binding }) => {
    const nameNode = at.type === 'aliased_import' ? (field(at, 'alias') ?? at) : at;
    const target = nameNode.type === 'identifier' ? lowerTarget(c, nameNode, scope) : namedTarget(c, nameNode, name, scope);
    return { kind: 'assign', span, targets: [target], value: bindingExpression(c, node, binding) };
  });
}

function namedTarget(c: Context, node: SyntaxNode, name: string, scope: Scope | undefined): import('../../ir/nodes.js').Target {
  const resolved = c.name(node, name, scope);
  return resolved.kind === 'local' || resolved.kind === 'module-variable' || resolved.kind === 'unsupported' ? resolved : c.unsupported(node, 'unresolved-name', `${name} is imported but not bound`);
}

/** `from package import name`: what the package itself binds wins, then the submodule. */
export function resolveAlias(c: Context, binding: Binding): Binding {
  if (binding.kind !== 'alias' || c.project.binds(binding.module, binding.name)) return binding;
  const inner = `${binding.module}.${binding.name}`;
  if (c.project.binds(binding.module, '__getattr__')) return { kind: 'unsupported', code: 'dynamic-name', detail: `the module ${binding.module} computes its names`, span: binding.span };
  return c.project.has(inner) ? { kind: 'module', module: inner, span: binding.span } : binding;
}

function bindingExpression(c: Context, node: SyntaxNode, imported: Binding): Expression {
  const span = c.span(node);
  const binding = resolveAlias(c, imported);
  switch (binding.kind) {
    case 'external':
      return { kind: 'external', span, identity: binding.identity };
    case 'module':
      return { kind: 'external', span, identity: `@${binding.module}` };
    case 'alias':
      return { kind: 'module-variable', span, module: binding.module, name: binding.name };
    case 'unsupported':
      return c.unsupported(node, binding.code, binding.detail);
    case 'function':
    case 'class':
    case 'value':
      return c.unsupported(node, 'unsupported-syntax', 'an import of an unknown form');
  }
}

/** Every project module that an import statement may load, the packages around included. */
export function importedModules(c: Context, node: SyntaxNode): ModuleId[] {
  const { names, star } = readImport(c, node);
  const direct = names.flatMap(({ binding }) => (binding.kind === 'module' ? [binding.module] : binding.kind === 'alias' ? [binding.module, `${binding.module}.${binding.name}`] : []));
  const written = node.type === 'import_statement' ? fields(node, 'name').map((name) => dottedText(name.type === 'aliased_import' ? (field(name, 'name') ?? name) : name)) : [];
  const all = [...direct, ...written, ...(star === undefined ? [] : [star.module])];
  return all.flatMap((module) => module.split('.').map((_, at, path) => path.slice(0, at + 1).join('.'))).filter((module) => c.project.has(module));
}
