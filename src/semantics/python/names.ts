/** The library identity that a name in a class body or a decorator stands for. */
import type { Machine } from '../../analysis/machine.js';
import { loadTime } from '../../analysis/modules.js';
import type { Expression } from '../../ir/nodes.js';

/** Undefined for anything that is not the plain name of a library thing. */
export function identityOf(machine: Machine, module: string, expression: Expression | undefined): string | undefined {
  if (expression?.kind === 'external') return machine.library.canonical(expression.identity);
  if (expression?.kind !== 'module-variable' && expression?.kind !== 'member') return undefined;
  const loaded = loadTime(machine, module, () => machine.evaluate(expression));
  const term = loaded.kind === 'value' ? machine.store.term(loaded.value) : undefined;
  return term?.kind === 'external' && term.self === undefined ? term.identity : undefined;
}

/** What a call calls, and anything else itself: the name in front of a decorator's arguments. */
export function calleeOf(expression: Expression): Expression {
  return expression.kind === 'call' ? expression.callee : expression;
}

/** `ClassVar` and `ClassVar[T]`. */
export function isClassVariable(machine: Machine, module: string, annotation: Expression | undefined): boolean {
  return identityOf(machine, module, annotation?.kind === 'index' ? annotation.object : annotation) === 'py:typing#ClassVar';
}
