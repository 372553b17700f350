/** What a module binds at its top, for the modules that import from it. */
import { boundNames } from './bound-names.js';
import { field, isPlainText, parts, starImports, type SyntaxNode } from './syntax.js';

export interface ModuleExports {
  /** Names that statements of the module bind, without those of star imports. */
  readonly names: ReadonlySet<string>;
  /** `__all__`: the names, 'absent', or 'unknown' where it is computed or changed. */
  readonly all: readonly string[] | 'absent' | 'unknown';
  /** Star imports at the top, conditional ones too. */
  readonly stars: readonly SyntaxNode[];
}

export function moduleExports(root: SyntaxNode, text: string): ModuleExports {
  return { names: boundNames(parts(root)).names, all: readAll(root, text), stars: starImports(root) };
}

function readAll(root: SyntaxNode, text: string): ModuleExports['all'] {
  const mentions = text.match(/\b__all__\b/g)?.length ?? 0;
  if (mentions === 0) return 'absent';
  const assignments = parts(root).map((statement) => (statement.type === 'expression_statement' ? parts(statement)[0] : undefined)).filter((inner) => inner?.type === 'assignment' && field(inner, 'left')?.text === '__all__');
  const list = mentions === 1 && assignments[0] !== undefined ? field(assignments[0], 'right') : undefined;
  if (list?.type !== 'list' && list?.type !== 'tuple') return 'unknown';
  const items = parts(list).map((item) => (item.type === 'string' && isPlainText(item) ? /^["']([^\\"']*)["']$/.exec(item.text)?.[1] : undefined));
  return items.every((item) => item !== undefined) ? items : 'unknown';
}
