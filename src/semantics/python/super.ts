/** `super()`: the methods of the classes that come after the one whose method is running. */
import type { Machine } from '../../analysis/machine.js';
import { classLineage } from '../../analysis/members.js';
import type { TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { raise, unsupported } from './failures.js';
import { isExceptionClass } from './methods.js';
import { definitionOf } from './dataclasses.js';

export const SUPER_FN = 'py.super';

/** The proxy of the running method: `py.super(class of the method, receiver)`. */
export function superTerm(machine: Machine): TermId | undefined {
  const running = machine.activations[machine.activation]?.function;
  const fn = running === undefined ? undefined : machine.program.functions.get(running);
  const owner = [...machine.program.classes.values()].find((candidate) => candidate.methods.some((method) => method.function === running));
  const self = fn?.parameters[0]?.name;
  const value = self === undefined ? undefined : machine.cur.frames.get(machine.activation)?.get(self);
  if (owner === undefined || value === undefined) return undefined;
  const receiverClass = machine.object(value);
  const lineage = receiverClass?.kind === 'instance' ? classLineage(machine, receiverClass.class, owner.span) : undefined;
  const term = lineage?.find((ancestor) => ancestor.kind === 'project' && definitionOf(machine, ancestor.class)?.id === owner.id);
  if (term?.kind !== 'project') return undefined;
  return machine.store.intern({ kind: 'apply', fn: SUPER_FN, args: [term.class, value] });
}

/** A member read through `super()`; undefined for other values. */
export function superMember(machine: Machine, object: TermId, name: string, span: Span): TermId | undefined {
  const { store } = machine;
  const term = store.term(object);
  if (term.kind !== 'apply' || term.fn !== SUPER_FN) return undefined;
  const [owner, self] = [term.args[0]!, term.args[1]!];
  const held = machine.object(self);
  const lineage = held?.kind === 'instance' ? classLineage(machine, held.class, span) : undefined;
  const at = lineage?.findIndex((ancestor) => ancestor.kind === 'project' && ancestor.class === owner) ?? -1;
  if (lineage === undefined || at < 0) return unsupported(machine, 'super of a value of unknown class', span);
  for (const ancestor of lineage.slice(at + 1)) {
    if (ancestor.kind === 'project') {
      const method = definitionOf(machine, ancestor.class)
        ?.methods.filter((candidate) => candidate.name === name)
        .at(-1);
      if (method === undefined) continue;
      const decorators = machine.program.functions.get(method.function)?.decorators ?? [];
      if (decorators.length > 0) return unsupported(machine, 'super of a decorated method', span);
      return store.intern({ kind: 'function', function: method.function, self });
    }
    const identity = machine.library.canonical(`${ancestor.identity}.${name}`);
    if (machine.library.entry(identity, 'call') !== undefined) return store.intern({ kind: 'external', identity, self });
    if (name === '__init__' && isExceptionClass(machine, ancestor.identity))
      return store.intern({ kind: 'external', identity: 'py:builtins#BaseException.__init__', self });
    if (ancestor.identity !== 'py:builtins#object' && ancestor.identity !== 'py:abc#ABC')
      return machine.stop('unreviewed-callee', `${identity} is used and has no inventory entry`, span, `add an inventory entry for ${identity}`);
  }
  if (name === '__init__') return store.intern({ kind: 'external', identity: 'py:builtins#object.__init__', self });
  return raise(machine, 'attribute', `'super' object has no attribute '${name}'`);
}
