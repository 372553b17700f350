/**
 * Python source of one release → IR. Every module under the roots is lowered whole; nothing is recognised specially and
 * nothing is skipped: a form that is not understood becomes an `unsupported` node, a module that is not Python 3 is listed
 * under `syntaxErrors` and stops whoever needs it.
 */
import type { Tree } from 'web-tree-sitter';
import type { ForeignWrite, Module, Program } from '../../ir/program.js';
import type { Frontend, LowerInput, SourceFile } from '../frontend.js';
import { Context, type ModuleInfo, type ProgramParts, type ProjectNames } from './context.js';
import { firstError } from './functions.js';
import { pythonParser } from './host.js';
import { lowerModule, topLevelNames } from './modules.js';
import { findRoots, moduleOf } from './roots.js';
import { scanWrites } from './scan.js';
import { boundNames } from './scopes.js';
import { parts, spanOf, type SyntaxNode } from './syntax.js';

export const pythonFrontend: Frontend = { language: 'python', reads: (path) => path.endsWith('.py'), lower: lowerPython };

interface ParsedModule {
  readonly info: ModuleInfo;
  readonly tree: Tree;
  readonly root: SyntaxNode;
  readonly names: ReadonlySet<string>;
  readonly all: readonly string[] | undefined;
  readonly error: SyntaxNode | undefined;
}

export async function lowerPython(input: LowerInput): Promise<Program> {
  const parser = await pythonParser();
  const files = [...input.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const roots = input.roots ?? findRoots(files.map((file) => file.path));
  const parsed = new Map<string, ParsedModule>();
  try {
    for (const file of files) parseModule(parser, file, roots, parsed);
    return lowerModules(parsed);
  } finally {
    for (const module of parsed.values()) module.tree.delete();
  }
}

function parseModule(parser: Awaited<ReturnType<typeof pythonParser>>, file: SourceFile, roots: readonly string[], parsed: Map<string, ParsedModule>): void {
  const place = moduleOf(file.path, roots);
  if (place === undefined || parsed.has(place.id)) return;
  const tree = parser.parse(file.text);
  if (tree === null) return;
  const root = tree.rootNode;
  parsed.set(place.id, { info: { ...place, file: file.path }, tree, root, ...topLevelNames(root), error: firstErrorOutsideFunctions(root) });
}

/** An error at the top level makes the whole module untrusted; one inside a function only that function. */
function firstErrorOutsideFunctions(root: SyntaxNode): SyntaxNode | undefined {
  if (!root.hasError) return undefined;
  for (const statement of parts(root)) {
    const definition = statement.type === 'decorated_definition' ? statement.childForFieldName('definition') : statement;
    if (definition?.type === 'function_definition' || definition?.type === 'class_definition') continue;
    const error = firstError(statement);
    if (error !== undefined) return error;
  }
  return root.children.find((child) => child?.isError === true || child?.isMissing === true) ?? undefined;
}

function lowerModules(parsed: ReadonlyMap<string, ParsedModule>): Program {
  const program: ProgramParts = { functions: new Map(), classes: new Map() };
  const modules = new Map<string, Module>();
  const foreignWrites: ForeignWrite[] = [];
  const syntaxErrors: { file: string; span: ReturnType<typeof spanOf>; detail: string }[] = [];
  const project: ProjectNames = { has: (module) => parsed.has(module), binds: (module, name) => parsed.get(module)?.names.has(name) === true };
  const starNames = (module: string): { names: readonly string[] } | undefined => {
    const target = parsed.get(module);
    if (target === undefined || target.error !== undefined) return undefined;
    return { names: target.all ?? [...target.names].filter((name) => !name.startsWith('_')) };
  };
  for (const [id, module] of parsed) {
    const context = new Context(module.info, project, program);
    if (module.error !== undefined) {
      const span = spanOf(module.info.file, module.error);
      const detail = 'the module is not Python 3';
      syntaxErrors.push({ file: module.info.file, span, detail });
      modules.set(id, { id, file: module.info.file, bindings: new Map([...module.names].map((name) => [name, { kind: 'unsupported', code: 'syntax-error', detail, span }])), effects: [] });
      continue;
    }
    modules.set(id, lowerModule(context, module.root, globalWrites(module.root), starNames));
    foreignWrites.push(...scanWrites(context, module.root));
  }
  return { language: 'python', modules, functions: program.functions, classes: program.classes, foreignWrites, syntaxErrors };
}

/** Names that some function of the module assigns after `global`. */
function globalWrites(root: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'function_definition') {
      const body = node.childForFieldName('body');
      if (body !== null) {
        const bound = boundNames(parts(body));
        for (const name of bound.writesOuter) if (bound.globals.has(name)) names.add(name);
      }
    }
    for (const part of parts(node)) visit(part);
  };
  visit(root);
  return names;
}
