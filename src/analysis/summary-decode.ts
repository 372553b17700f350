/**
 * Reads the semantic part of a summary into a store. The document may come from anywhere: whatever is not of the form
 * that `summary-codec.ts` writes is a `summary-format` error with its place, and nothing of it is used.
 */
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { FcdError } from '../base/errors.js';
import { SUMMARY_NODES_MAX } from '../base/limits.js';
import type { ConstantValue } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { FALSE, TRUE } from './guards.js';
import type { Store } from './store.js';
import { SUMMARY_SCHEMA } from './summary-codec.js';
import { ESCALATION_CODES, type Context, type Dimension, type Outcome, type Summary } from './summary.js';
import type { Behaviour, Guard, JsonType, ListKind, LoopIndex, Proposition, Segment, Term, TermId } from './terms.js';

export class SummaryFormatError extends FcdError<'summary-format'> {}

/** `spans` are the evidence of each outcome, where it is at hand. */
export function decodeSummary(semantic: JsonValue, store: Store, spans: readonly (readonly Span[])[] = []): Summary {
  return new Decoder(store).summary(new Reader(semantic, '$'), spans);
}

/** One value of the document with its place. */
class Reader {
  readonly value: JsonValue;
  readonly at: string;

  constructor(value: JsonValue, at: string) {
    this.value = value;
    this.at = at;
  }

  fail(what: string): never {
    throw new SummaryFormatError('summary-format', `summary ${this.at}: expected ${what}`, { next: 'Regenerate the summary.' });
  }
  private object(): JsonObject {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) return this.fail('an object');
    return this.value as JsonObject;
  }
  field(name: string): Reader {
    const found = this.optional(name);
    return found ?? new Reader(null, `${this.at}.${name}`).fail('a member');
  }
  optional(name: string): Reader | undefined {
    const object = this.object();
    return Object.hasOwn(object, name) ? new Reader(object[name] ?? null, `${this.at}.${name}`) : undefined;
  }
  /** Refuses members that are not listed. */
  only(...names: readonly string[]): this {
    for (const name of Object.keys(this.object())) if (!names.includes(name)) new Reader(null, `${this.at}.${name}`).fail('no such member');
    return this;
  }
  items(): Reader[] {
    if (!Array.isArray(this.value)) return this.fail('an array');
    return (this.value as readonly JsonValue[]).map((item, index) => new Reader(item, `${this.at}[${String(index)}]`));
  }
  text(): string {
    return typeof this.value === 'string' ? this.value : this.fail('text');
  }
  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('true or false');
  }
  count(): number {
    return typeof this.value === 'number' && Number.isSafeInteger(this.value) && this.value >= 0 ? this.value : this.fail('a count');
  }
  oneOf<Choice extends string>(choices: readonly Choice[]): Choice {
    return choices.find((choice) => choice === this.value) ?? this.fail(`one of ${choices.join(', ')}`);
  }
  path(): (string | number)[] {
    return this.items().map((part) => (typeof part.value === 'string' ? part.value : part.count()));
  }
}

type Node =
  | { readonly kind: 'term'; readonly id: TermId }
  | { readonly kind: 'proposition'; readonly id: Guard }
  | { readonly kind: 'guard'; readonly id: Guard }
  | { readonly kind: 'loop'; readonly id: LoopIndex };

const JSON_TYPES: readonly JsonType[] = ['null', 'boolean', 'integer', 'float', 'string', 'array', 'object'];
const LIST_KINDS: readonly ListKind[] = ['list', 'tuple', 'set'];
const PROPOSITION_KINDS: readonly string[] = ['has', 'type', 'equal', 'test', 'throws', 'exists'];

class Decoder {
  private readonly store: Store;
  /** Parts stand before what is made of them, so everything that a node may refer to is here already. */
  private readonly nodes: Node[] = [];

  constructor(store: Store) {
    this.store = store;
  }

  summary(document: Reader, spans: readonly (readonly Span[])[]): Summary {
    document.only('schema', 'tool', 'language', 'absent', 'domain', 'serving', 'nodes', 'outcomes', 'inputs', 'behaviours');
    if (document.field('schema').count() !== SUMMARY_SCHEMA) document.field('schema').fail(`schema ${String(SUMMARY_SCHEMA)}`);
    const nodes = document.field('nodes');
    const all = nodes.items();
    if (all.length > SUMMARY_NODES_MAX) nodes.fail(`at most ${String(SUMMARY_NODES_MAX)} nodes`);
    for (const node of all) this.nodes.push(this.node(node));
    const outcomes = document
      .field('outcomes')
      .items()
      .map((outcome, order) => this.outcome(outcome, order));
    return {
      store: this.store,
      tool: document.field('tool').text(),
      language: document.field('language').text(),
      domain: this.guard(document.field('domain')),
      serving: this.guard(document.field('serving')),
      absent: document.field('absent').boolean(),
      outcomes,
      inputs: document
        .field('inputs')
        .items()
        .map((input) => input.text()),
      behaviours: document
        .field('behaviours')
        .items()
        .map((behaviour) => this.behaviour(behaviour)),
      spans: outcomes.map((_, at) => spans[at] ?? []),
    };
  }

  // References

  private reference(reader: Reader, kind: Node['kind']): number {
    const node = this.nodes[reader.count()];
    return node?.kind === kind ? node.id : reader.fail(`the number of an earlier ${kind}`);
  }
  private term(reader: Reader): TermId {
    return this.reference(reader, 'term');
  }
  private terms(reader: Reader): TermId[] {
    return reader.items().map((item) => this.term(item));
  }
  private loop(reader: Reader): LoopIndex {
    return this.reference(reader, 'loop');
  }
  private guard(reader: Reader): Guard {
    return typeof reader.value === 'boolean' ? (reader.value ? TRUE : FALSE) : this.reference(reader, 'guard');
  }
  private type(reader: Reader, name = 'type'): { type?: string } {
    const type = reader.optional(name)?.text();
    return type === undefined ? {} : { type };
  }

  // Nodes

  private node(reader: Reader): Node {
    const kind = reader.field('kind').text();
    if (kind === 'choice') {
      reader.only('kind', 'proposition', 'high', 'low');
      const test = this.reference(reader.field('proposition'), 'proposition');
      return { kind: 'guard', id: this.store.guards.ite(test, this.guard(reader.field('high')), this.guard(reader.field('low'))) };
    }
    if (kind === 'loop-record') return { kind: 'loop', id: this.loopRecord(reader) };
    if (PROPOSITION_KINDS.includes(kind)) return { kind: 'proposition', id: this.store.propositionGuard(this.proposition(reader)) };
    return { kind: 'term', id: this.store.intern(this.termOf(reader)) };
  }

  private loopRecord(reader: Reader): LoopIndex {
    reader.only('kind', 'over', 'depth', 'exits', 'carried', 'effects');
    return this.store.internLoop({
      over: this.term(reader.field('over')),
      depth: reader.field('depth').count(),
      exits: reader
        .field('exits')
        .items()
        .map((exit) => {
          const value = exit.only('name', 'when', 'value').optional('value');
          return { name: exit.field('name').text(), when: this.guard(exit.field('when')), ...(value === undefined ? {} : { value: this.term(value) }) };
        }),
      carried: reader
        .field('carried')
        .items()
        .map((c) => ({
          name: c.only('name', 'initial', 'next').field('name').text(),
          initial: this.term(c.field('initial')),
          next: this.term(c.field('next')),
        })),
      effects: reader
        .field('effects')
        .items()
        .map((effect) => ({ key: effect.only('key', 'when').field('key').text(), when: this.guard(effect.field('when')) })),
    });
  }

  private termOf(r: Reader): Term {
    const kind = r.field('kind').text();
    switch (kind) {
      case 'constant':
        return { kind, value: constantOf(r.only('kind', 'value').field('value')) };
      case 'argument':
        return { kind, path: r.only('kind', 'path').field('path').path() };
      case 'input':
        return { kind, name: r.only('kind', 'name', 'type').field('name').text(), ...this.type(r) };
      case 'external': {
        const self = r.only('kind', 'identity', 'self').optional('self');
        return { kind, identity: r.field('identity').text(), ...(self === undefined ? {} : { self: this.term(self) }) };
      }
      case 'apply':
        return { kind, fn: r.only('kind', 'fn', 'args', 'type').field('fn').text(), args: this.terms(r.field('args')), ...this.type(r) };
      case 'observe': {
        const resource = r.only('kind', 'behaviour', 'args', 'world', 'type', 'resource').optional('resource');
        return {
          kind,
          behaviour: this.behaviour(r.field('behaviour')),
          args: this.terms(r.field('args')),
          world: this.term(r.field('world')),
          ...this.type(r),
          ...(resource === undefined ? {} : { resource: this.term(resource) }),
        };
      }
      case 'fresh':
        return {
          kind,
          behaviour: this.behaviour(r.only('kind', 'behaviour', 'args', 'serial', 'type').field('behaviour')),
          args: this.terms(r.field('args')),
          serial: r.field('serial').count(),
          ...this.type(r),
        };
      case 'opaque':
        return {
          kind,
          digest: r.only('kind', 'digest', 'args', 'world').field('digest').text(),
          args: this.terms(r.field('args')),
          world: this.term(r.field('world')),
        };
      case 'list':
        return {
          kind,
          as: r.only('kind', 'as', 'segments').field('as').oneOf(LIST_KINDS),
          segments: r
            .field('segments')
            .items()
            .map((segment) => this.segment(segment)),
        };
      case 'record':
        return this.record(r.only('kind', 'fields', 'rest', 'removed', 'type'));
      case 'conditional':
        return {
          kind,
          when: this.guard(r.only('kind', 'when', 'then', 'otherwise').field('when')),
          then: this.term(r.field('then')),
          otherwise: this.term(r.field('otherwise')),
        };
      case 'element':
        return { kind, depth: r.only('kind', 'depth', 'of', 'type').field('depth').count(), of: this.term(r.field('of')), ...this.type(r) };
      case 'loop':
        return { kind, loop: this.loop(r.only('kind', 'loop', 'name', 'type').field('loop')), name: r.field('name').text(), ...this.type(r) };
      case 'carried':
        return { kind, depth: r.only('kind', 'depth', 'name', 'type').field('depth').count(), name: r.field('name').text(), ...this.type(r) };
      case 'error':
        return { kind, call: this.term(r.only('kind', 'call', 'type').field('call')), ...this.type(r) };
      case 'world': {
        const name = r.only('kind', 'after', 'name').optional('name')?.text();
        return { kind, after: this.terms(r.field('after')), ...(name === undefined ? {} : { name }) };
      }
      default:
        return r.field('kind').fail('a kind of node');
    }
  }

  private segment(r: Reader): Segment {
    const when = this.guard(r.only('when', 'items', 'spread').field('when'));
    const spread = r.optional('spread');
    return spread === undefined ? { kind: 'items', when, items: this.terms(r.field('items')) } : { kind: 'spread', when, of: this.term(spread) };
  }

  private record(r: Reader): Term {
    const rest = r.optional('rest');
    const removed = r.optional('removed');
    return {
      kind: 'record',
      fields: r
        .field('fields')
        .items()
        .map((f) => ({ when: this.guard(f.only('when', 'key', 'value').field('when')), key: this.term(f.field('key')), value: this.term(f.field('value')) })),
      ...(rest === undefined ? {} : { rest: this.term(rest) }),
      ...(removed === undefined
        ? {}
        : { removed: removed.items().map((item) => ({ when: this.guard(item.only('when', 'key').field('when')), key: this.term(item.field('key')) })) }),
      ...this.type(r),
    };
  }

  private proposition(r: Reader): Proposition {
    const kind = r.field('kind').text();
    switch (kind) {
      case 'has':
        return { kind, path: r.only('kind', 'path').field('path').path() };
      case 'type':
        return { kind, of: this.term(r.only('kind', 'of', 'is').field('of')), is: r.field('is').oneOf(JSON_TYPES) };
      case 'equal':
        return { kind, left: this.term(r.only('kind', 'left', 'right').field('left')), right: this.term(r.field('right')) };
      case 'test':
        return { kind, fn: r.only('kind', 'fn', 'args').field('fn').text(), args: this.terms(r.field('args')) };
      case 'throws':
        return { kind, call: this.term(r.only('kind', 'call', 'type').field('call')), ...this.type(r) };
      case 'exists':
        return { kind, loop: this.loop(r.only('kind', 'loop', 'exit').field('loop')), exit: r.field('exit').text() };
      default:
        return r.field('kind').fail('a kind of proposition');
    }
  }

  private behaviour(r: Reader): Behaviour {
    r.only('callee', 'form', 'range', 'entry');
    return { callee: r.field('callee').text(), form: r.field('form').text(), range: r.field('range').text(), entry: r.field('entry').text() };
  }

  // Outcomes

  private outcome(r: Reader, order: number): Outcome {
    const kind = r.field('kind').text();
    const when = this.guard(r.field('when'));
    switch (kind) {
      case 'effect':
        r.only('kind', 'when', 'call', 'behaviour', 'operation', 'dimensions', 'protective', 'baseline', 'contexts', 'loops');
        return {
          kind,
          when,
          call: this.term(r.field('call')),
          behaviour: this.behaviour(r.field('behaviour')),
          operation: r.field('operation').text(),
          dimensions: this.dimensions(r.field('dimensions')),
          protective: r.field('protective').boolean(),
          baseline: r.field('baseline').boolean(),
          contexts: r
            .field('contexts')
            .items()
            .map((context): Context => ({
              operation: context.only('operation', 'dimensions').field('operation').text(),
              dimensions: this.dimensions(context.field('dimensions')),
            })),
          loops: r
            .field('loops')
            .items()
            .map((loop) => this.loop(loop)),
          order,
        };
      case 'disclose':
        return { kind, when, channel: r.only('kind', 'when', 'channel', 'source').field('channel').text(), source: this.term(r.field('source')) };
      case 'exit':
        return {
          kind,
          when,
          how: r.only('kind', 'when', 'how', 'type', 'effectsBefore').field('how').oneOf(['return', 'throw']),
          ...this.type(r),
          effectsBefore: this.guard(r.field('effectsBefore')),
        };
      case 'escalate':
        return {
          kind,
          when,
          code: r.only('kind', 'when', 'code', 'message', 'next').field('code').oneOf(ESCALATION_CODES),
          message: r.field('message').text(),
          next: r.field('next').text(),
        };
      default:
        return r.field('kind').fail('a kind of outcome');
    }
  }

  private dimensions(r: Reader): Dimension[] {
    return r
      .items()
      .map((d) => ({ name: d.only('name', 'value', 'exact').field('name').text(), value: this.term(d.field('value')), exact: d.field('exact').boolean() }));
  }
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

function constantOf(r: Reader): ConstantValue {
  const type = r.field('type').oneOf(['null', 'undefined', 'boolean', 'string', 'bytes', 'int', 'float', 'special']);
  switch (type) {
    case 'null':
    case 'undefined':
      r.only('type');
      return { type };
    case 'boolean':
      return { type, value: r.only('type', 'value').field('value').boolean() };
    case 'string':
      return { type, value: r.only('type', 'value').field('value').text() };
    case 'int': {
      const value = r.only('type', 'value').field('value').text();
      return INTEGER.test(value) && value !== '-0' ? { type, value } : r.field('value').fail('an integer');
    }
    case 'bytes':
      return { type, hex: r.only('type', 'hex').field('hex').text() };
    case 'float': {
      const text = r.only('type', 'value').field('value').text();
      const value = Number(text);
      const written = Object.is(value, -0) ? '-0' : String(value);
      return written === text ? { type, value } : r.field('value').fail('a float');
    }
    case 'special':
      return { type, name: r.only('type', 'name').field('name').text() };
  }
}
