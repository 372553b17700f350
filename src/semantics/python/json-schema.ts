/** The check of a call's arguments against a tool's input schema, before the handler runs. */
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { schemaGuard, type SchemaContext } from './fold/schema.js';

export function schemaAccepts(machine: Machine, schema: TermId, value: TermId, span: Span): Guard {
  const frozen = machine.freeze(schema);
  const context: SchemaContext = {
    store: machine.store,
    root: frozen,
    test: (fn, args) => machine.test(fn, args),
    apply: (fn, args, type) => machine.apply(fn, args, type),
  };
  const accepted = schemaGuard(context, frozen, machine.freeze(value));
  if (context.problem === undefined) return accepted;
  machine.stop('binding-unsupported', `the arguments are checked against a schema with ${context.problem}`, span, 'review the schema by hand');
  return 0;
}
