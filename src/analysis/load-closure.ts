/**
 * What loading the modules of a release does besides binding names. A statement at the top of a module that calls a
 * library function may change what any name means, so each such callee must be reviewed, even where no path reads a value
 * of that module. What importing a library does by itself is an assumption (docs/ARCHITECTURE.md).
 */
import type { Expression, ModuleId } from '../ir/nodes.js';
import type { Program } from '../ir/program.js';
import type { Span } from '../ir/span.js';
import { deepVisitor } from '../ir/walk.js';
import type { Library } from './library.js';

export interface UnreviewedLoad {
  readonly identity: string;
  readonly span: Span;
}

/** Calls of unreviewed library functions by the top-level statements of the modules that loading `entry` loads. */
export function unreviewedLoads(program: Program, library: Library, entry: ModuleId): readonly UnreviewedLoad[] {
  const found: UnreviewedLoad[] = [];
  const visitor = deepVisitor({
    expression: (node) => {
      if (node.kind !== 'call' && node.kind !== 'new') return;
      const path = externalPath(program, node.callee);
      if (path === undefined) return;
      const identity = library.canonical(path);
      if (library.entry(identity, 'call') === undefined && !library.isClass(identity)) found.push({ identity, span: node.span });
    },
  });
  for (const id of loadedModules(program, entry)) for (const statement of program.modules.get(id)?.effects ?? []) visitor.statement(statement);
  return found;
}

/** The module, the packages around it and what they import, as far as the release has it. */
function loadedModules(program: Program, entry: ModuleId): ReadonlySet<ModuleId> {
  const loaded = new Set<ModuleId>();
  const queue = [entry];
  while (queue.length > 0) {
    const id = queue.pop()!;
    const module = program.modules.get(id);
    if (loaded.has(id) || module === undefined) continue;
    loaded.add(id);
    for (let dot = id.lastIndexOf('.'); dot > 0; dot = id.lastIndexOf('.', dot - 1)) queue.push(id.slice(0, dot));
    for (const binding of module.bindings.values()) if (binding.kind === 'alias' || binding.kind === 'module') queue.push(binding.module);
  }
  return loaded;
}

/** The identity of a library thing that is named through imports and members only. */
export function externalPath(program: Program, node: Expression): string | undefined {
  if (node.kind === 'external') return node.identity;
  if (node.kind === 'module-variable') {
    const binding = program.modules.get(node.module)?.bindings.get(node.name);
    return binding?.kind === 'external' ? binding.identity : undefined;
  }
  if (node.kind !== 'member') return undefined;
  const object = externalPath(program, node.object);
  return object === undefined ? undefined : object.includes('#') ? `${object}.${node.name}` : `${object}#${node.name}`;
}
