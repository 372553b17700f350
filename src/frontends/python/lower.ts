/**
 * Python source of one release → IR. Every module under the roots is lowered whole; nothing is recognised specially and
 * nothing is skipped: a form that is not understood becomes an `unsupported` node, a module that is not Python 3 is listed
 * under `syntaxErrors` and stops whoever needs it. Folders beside the product (tests, examples) are read only where a
 * module of the product imports them.
 *
 * What it returns has passed the IR's verifier. Source that only Python's compiler would refuse (a `return` outside of a
 * function) is found there, and its module is then one that is not Python 3.
 */
import { InvariantError } from '../../base/errors.js';
import type { Binding, Module, Program } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { verifyProgram } from '../../ir/verify.js';
import type { Frontend, LowerInput } from '../frontend.js';
import { Context, type ProgramParts } from './context.js';
import { pythonParser } from './host.js';
import { lowerModule } from './modules.js';
import { ParsedRelease, type ParsedModule } from './parsed-release.js';
import { scanWrites } from './scan.js';
import { spanOf } from './syntax.js';

export const pythonFrontend: Frontend = { language: 'python', reads: (path) => path.endsWith('.py'), lower: lowerPython };

/** Why modules are not lowered, by file. */
type Refused = ReadonlyMap<string, { readonly span: Span; readonly detail: string }>;

export async function lowerPython(input: LowerInput): Promise<Program> {
  const release = new ParsedRelease(await pythonParser(), input);
  try {
    const program = lowerModules(release, new Map());
    const issues = verifyProgram(program);
    if (issues.length === 0) return program;
    const refused = new Map<string, { span: Span; detail: string }>();
    for (const { place, message } of issues) if (!refused.has(place.file)) refused.set(place.file, { span: place, detail: message });
    const again = lowerModules(release, refused);
    const left = verifyProgram(again)[0];
    if (left !== undefined) throw new InvariantError(`lowered Python is not well formed: ${left.code}: ${left.message} (${left.place.file}:${String(left.place.line)})`);
    return again;
  } finally {
    release.delete();
  }
}

function lowerModules(release: ParsedRelease, refused: Refused): Program {
  const parts: ProgramParts = { functions: new Map(), classes: new Map() };
  const modules = new Map<string, Module>();
  const syntaxErrors: { file: string; span: Span; detail: string }[] = [];
  for (const module of release.modules.values()) {
    const c = new Context(module.info, release, parts, module.problems, release.parser);
    const { id, file } = module.info;
    const error = refused.get(file) ?? module.error;
    if (error === undefined) {
      modules.set(id, lowerModule(c, module.root, { globalWrites: module.globalWrites, starNames: (name) => release.starNames(name) }));
      for (const tree of c.trees) tree.delete();
      continue;
    }
    syntaxErrors.push({ file, span: error.span, detail: error.detail });
    modules.set(id, { id, file, bindings: refusedBindings(module, error), effects: [{ kind: 'unsupported', code: 'syntax-error', ...error }] });
  }
  const code = { ...parts, modules };
  const sources = new Map([...release.modules.values()].map((module) => [module.info.file, module.text.split('\n')]));
  return { language: 'python', ...code, foreignWrites: scanWrites(code, sources, unreadPlaces(release)), syntaxErrors };
}

/** Definitions and modules that the parser could not read: a reader of another Python might, so their text is scanned. */
function unreadPlaces(release: ParsedRelease): Span[] {
  return [...release.modules.values()].flatMap(({ info, root, problems }) => {
    if (problems.all.some((problem) => problem.wholeModule)) return [];
    return root.namedChildren.filter((statement) => problems.within(statement) !== undefined).map((statement) => spanOf(info.file, statement));
  });
}

/** Names of a module that is not lowered: those that the tree has, and those that the text seems to bind. */
function refusedBindings(module: ParsedModule, error: { readonly span: Span; readonly detail: string }): ReadonlyMap<string, Binding> {
  const written = [...module.text.matchAll(/^(?:async[ \t]+)?(?:def|class)[ \t]+([\p{L}_][\p{L}\p{N}_]*)|^([\p{L}_][\p{L}\p{N}_]*)[ \t]*[=:]/gmu)].map((match) => match[1] ?? match[2]!);
  const detail = `the module is not Python 3: ${error.detail}`;
  return new Map([...module.exports.names, ...written].filter((name) => name !== '').map((name) => [name, { kind: 'unsupported', code: 'syntax-error', detail, span: error.span }]));
}
