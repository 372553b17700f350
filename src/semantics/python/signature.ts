/**
 * Binding by signature, as the Python MCP SDK does it (FastMCP of 1.x, MCPServer of 2.x): a model is made from the
 * function's parameters; text for a parameter whose annotation is not exactly `str` is replaced by what it parses to
 * when that is a JSON list, object or null; then the model validates, coerces, fills in defaults and drops unknown keys.
 */
import { conditional } from '../../analysis/construct.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { Parameter } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { bindFields, fieldFrom, newValidation, type ModelField } from './pydantic/model.js';
import { readAnnotation } from './pydantic/model-type.js';
import { recordView } from './records.js';

const NEXT = 'annotate the parameters with plain types, or review the handler by hand';

export function bindSignature(
  machine: Machine,
  handler: TermId,
  args: TermId,
  span: Span,
): { readonly accepted: Guard; readonly values: ReadonlyMap<string, TermId> } | undefined {
  const signature = signatureOf(machine, handler);
  const view = recordView(machine, args);
  if (signature === undefined || view === undefined) {
    machine.stop('binding-unsupported', 'the signature of the handler is not proved', span, NEXT);
    return undefined;
  }
  const fields: ModelField[] = [];
  const contexts = new Map<string, TermId>();
  for (const parameter of signature.parameters) {
    const problem = parameterProblem(parameter);
    if (problem !== undefined) {
      machine.stop('binding-unsupported', problem, parameter.span, NEXT);
      return undefined;
    }
    const read = readAnnotation(machine, signature.module, parameter.annotation, parameter.span);
    if (read.type.kind === 'context')
      contexts.set(parameter.name, machine.store.intern({ kind: 'apply', fn: 'py.mcp.context', args: [], type: read.type.identity }));
    else fields.push(fieldFrom(machine, parameter.name, read, parameter.default === undefined ? undefined : signature.defaults.get(parameter.name)));
  }
  const validation = newValidation(machine, span);
  const bound = bindFields(validation, fields, view, (field, value) => (isExactlyText(field) ? value : parsedText(machine, value)));
  if (validation.problem !== undefined) {
    machine.stop('binding-unsupported', `a parameter with ${validation.problem}`, span, NEXT);
    return undefined;
  }
  return machine.dead ? undefined : { accepted: bound.accepted, values: new Map([...bound.values, ...contexts]) };
}

interface Signature {
  readonly parameters: readonly Parameter[];
  readonly module: string;
  readonly defaults: ReadonlyMap<string, TermId>;
}

/** The signature that `inspect.signature` sees: of the wrapped function where there is one, without a bound receiver. */
function signatureOf(machine: Machine, handler: TermId): Signature | undefined {
  let value = handler;
  const { wrapped } = machine;
  const seen = new Set<TermId>();
  while (wrapped.has(value) && !seen.has(value)) {
    seen.add(value);
    value = wrapped.get(value)!;
  }
  const term = machine.store.term(value);
  const fn = term.kind === 'function' ? machine.program.functions.get(term.function) : undefined;
  if (term.kind !== 'function' || fn === undefined) return undefined;
  const unbound = machine.store.intern({ kind: 'function', function: term.function, ...(term.frame === undefined ? {} : { frame: term.frame }) });
  return {
    parameters: term.self === undefined ? fn.parameters : fn.parameters.slice(1),
    module: fn.module,
    defaults: machine.defaults.get(unbound) ?? new Map(),
  };
}

function parameterProblem(parameter: Parameter): string | undefined {
  if (parameter.kind === 'rest' || parameter.kind === 'keyword-rest' || parameter.kind === 'positional-only')
    return `the parameter ${parameter.name} cannot be given by name`;
  return parameter.name.startsWith('_') ? `the parameter ${parameter.name} begins with an underscore` : undefined;
}

function isExactlyText(field: ModelField): boolean {
  return field.type.kind === 'scalar' && field.type.type === 'str';
}

/** Text that is a JSON list, object or null stands for what it says; other text stands for itself. */
function parsedText(machine: Machine, value: TermId): TermId {
  const { store } = machine;
  const isText = machine.hasType(value, 'string');
  if (isText === 0) return value;
  const structured = store.guards.and(isText, machine.test('py.jsonStructure', [value]));
  if (structured === 0) return value;
  return conditional(store, structured, machine.apply('py.jsonValue', [value], 'json'), value);
}
