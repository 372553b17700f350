/** The files of a release as parsed modules, and what imports between them need to know. */
import type { Parser, Tree } from 'web-tree-sitter';
import type { ModuleId } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import type { LowerInput, SourceFile } from '../frontend.js';
import { boundNames } from './bound-names.js';
import { Context, type ModuleInfo, type ProjectNames } from './context.js';
import { moduleExports, type ModuleExports } from './exports.js';
import { importedModules, readImport } from './imports.js';
import type { StarNames } from './modules.js';
import { findProblems, type Problems } from './problems.js';
import { findRoots, isAside, moduleOf } from './roots.js';
import { readSourceText } from './source-text.js';
import { parts, spanOf, type SyntaxNode } from './syntax.js';

export interface ParsedModule {
  readonly info: ModuleInfo;
  readonly tree: Tree;
  readonly root: SyntaxNode;
  readonly text: string;
  readonly problems: Problems;
  readonly exports: ModuleExports;
  /** Names that functions and classes of the module assign after `global`. */
  readonly globalWrites: ReadonlySet<string>;
  /** What makes all of the module untrusted. */
  readonly error: { readonly span: Span; readonly detail: string } | undefined;
}

export class ParsedRelease implements ProjectNames {
  readonly parser: Parser;
  /** By id, in the order of their files. */
  readonly modules: ReadonlyMap<ModuleId, ParsedModule>;
  private readonly trees: Tree[] = [];

  constructor(parser: Parser, input: LowerInput) {
    this.parser = parser;
    const files = [...input.files].sort((a, b) => (a.path < b.path ? -1 : 1));
    const roots = input.roots ?? findRoots(files.map((file) => file.path));
    const all = new Map<ModuleId, ParsedModule>();
    for (const [id, { info, found }] of placeFiles(files, roots)) {
      const [file, ...others] = found;
      if (file !== undefined) all.set(id, this.parse(info, file, others.filter((other) => other.text !== file.text)));
    }
    this.modules = all;
    this.modules = this.reachable(input.roots ?? roots);
  }

  has(module: ModuleId): boolean {
    return this.modules.has(module);
  }

  binds(module: ModuleId, name: string): boolean {
    const target = this.modules.get(module);
    if (target === undefined) return false;
    if (target.exports.names.has(name) || target.globalWrites.has(name)) return true;
    if (target.exports.stars.length === 0) return false;
    // With a star import of what is not known, the name may be there.
    return this.starred(target, [module])?.names.includes(name) ?? true;
  }

  starNames(module: ModuleId, trail: readonly ModuleId[] = []): StarNames | undefined {
    const target = this.modules.get(module);
    if (target === undefined || target.error !== undefined || target.exports.all === 'unknown') return undefined;
    if (target.exports.all !== 'absent') return { names: target.exports.all, perhaps: [] };
    if (trail.includes(module)) return { names: [], perhaps: [] };
    const starred = this.starred(target, [...trail, module]);
    if (starred === undefined) return undefined;
    const isPublic = (name: string): boolean => !name.startsWith('_');
    const names = new Set([...target.exports.names, ...target.globalWrites, ...starred.names].filter(isPublic));
    const submodules = target.info.isPackage ? [...this.modules.keys()].filter((id) => id.startsWith(`${module}.`) && !id.slice(module.length + 1).includes('.')).map((id) => id.slice(module.length + 1)) : [];
    return { names: [...names], perhaps: [...starred.perhaps, ...submodules].filter((name) => isPublic(name) && !names.has(name)) };
  }

  delete(): void {
    for (const tree of this.trees) tree.delete();
  }

  /** What the star imports of a module bind in it. */
  private starred(target: ParsedModule, trail: readonly ModuleId[]): StarNames | undefined {
    const c = this.importContext(target);
    const names = new Set<string>();
    const perhaps = new Set<string>();
    for (const node of target.exports.stars) {
      const { star } = readImport(c, node);
      const inner = star?.inProject === true ? this.starNames(star.module, trail) : undefined;
      if (inner === undefined) return undefined;
      for (const name of inner.names) names.add(name);
      for (const name of inner.perhaps) perhaps.add(name);
    }
    return { names: [...names], perhaps: [...perhaps] };
  }

  private importContext(module: ParsedModule): Context {
    return new Context(module.info, this, { functions: new Map(), classes: new Map() }, module.problems, this.parser);
  }

  private parse(info: ModuleInfo, file: SourceFile, others: readonly SourceFile[]): ParsedModule {
    const { text, problem } = readSourceText(file.text);
    const tree = this.parser.parse(text) ?? this.parser.parse('')!;
    this.trees.push(tree);
    const root = tree.rootNode;
    const problems = findProblems(tree, text);
    const line = (at: number): Span => ({ file: file.path, line: at, column: 1, endLine: at, endColumn: 1 });
    const clash = others[0] === undefined ? undefined : { span: line(1), detail: `${others[0].path} is a module of the same name` };
    const error = problem === undefined ? (clash ?? moduleError(file.path, root, problems, text)) : { span: line(problem.line), detail: problem.detail };
    const globalWrites = new Set(text.includes('global') && error === undefined ? globalNames(root) : []);
    return { info, tree, root, text, problems, error, globalWrites, exports: moduleExports(root, text) };
  }

  /** Modules of the product, and those beside it that they import. */
  private reachable(roots: readonly string[]): ReadonlyMap<ModuleId, ParsedModule> {
    const reached = new Set([...this.modules.values()].filter((module) => !isAside(module.info.file, roots)).map((module) => module.info.id));
    if (reached.size === this.modules.size || reached.size === 0) return this.modules;
    const queue = [...reached];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const module = this.modules.get(id);
      if (module === undefined) continue;
      const c = this.importContext(module);
      for (const node of importStatementsOf(module)) {
        for (const target of importedModules(c, node)) {
          if (reached.has(target)) continue;
          reached.add(target);
          queue.push(target);
        }
      }
    }
    return new Map([...this.modules].filter(([id]) => reached.has(id)));
  }
}

/** The files of each module: a package before a module beside it, in one folder. */
function placeFiles(files: readonly SourceFile[], roots: readonly string[]): ReadonlyMap<ModuleId, { readonly info: ModuleInfo; readonly found: readonly SourceFile[] }> {
  const placed = new Map<ModuleId, { info: ModuleInfo; found: SourceFile[] }>();
  for (const file of files) {
    const place = moduleOf(file.path, roots);
    if (place === undefined) continue;
    const info = { ...place, file: file.path };
    const known = placed.get(place.id);
    if (known === undefined) placed.set(place.id, { info, found: [file] });
    else if (file.path === known.info.file.replace(/\.py$/, '/__init__.py')) placed.set(place.id, { info, found: [file] });
    else if (known.info.file !== file.path.replace(/\.py$/, '/__init__.py')) known.found.push(file);
  }
  return placed;
}

/** An error at the top level makes the whole module untrusted; one inside a definition only that definition. */
function moduleError(file: string, root: SyntaxNode, problems: Problems, text: string): ParsedModule['error'] {
  if (problems.all.length === 0 && !root.hasError) return undefined;
  const whole = problems.all.find((problem) => problem.wholeModule);
  if (whole !== undefined) return { span: spanOf(file, whole.node), detail: whole.detail };
  const definitions = parts(root).filter((statement) => /^(?:function_definition|class_definition|decorated_definition)$/.test(statement.type));
  for (const problem of problems.all) {
    const around = definitions.find((definition) => definition.startIndex <= problem.start && problem.end <= definition.endIndex);
    // A definition that swallows the next one may have swallowed more.
    if (around === undefined || hasLineAtTop(text.slice(around.startIndex, around.endIndex))) return { span: spanOf(file, problem.node), detail: problem.detail };
  }
  return undefined;
}

function hasLineAtTop(definition: string): boolean {
  const body = definition.slice(/^(?:@.*\n|[ \t]*#.*\n|\s*\n)*.*\n?/.exec(definition)?.[0].length ?? 0);
  return /^(?:def|class|async|from|import|if|for|try|with|@|[\p{L}_][\p{L}\p{N}_.]*\s*(?:[=(:]))/mu.test(body);
}

/** Names that a function or class assigns after `global`. */
function globalNames(root: SyntaxNode): string[] {
  const names: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'function_definition' || node.type === 'class_definition') {
      const body = node.childForFieldName('body');
      if (body !== null) names.push(...boundNames(parts(body)).writesOuter.filter((name) => name.startsWith('@')).map((name) => name.slice(1)));
    }
    // Expressions hold no definitions of functions.
    for (const part of parts(node)) if (/_(?:definition|statement|clause)$|^(?:block|module)$/.test(part.type)) visit(part);
  };
  visit(root);
  return names;
}

function importStatementsOf(module: ParsedModule): SyntaxNode[] {
  if (module.error !== undefined) return [];
  return module.root.descendantsOfType(['import_statement', 'import_from_statement']);
}
