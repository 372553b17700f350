/** Summaries written by hand, for tests. */
import { FALSE, TRUE } from '../../../src/analysis/guards.js';
import type { Fold } from '../../../src/analysis/fold.js';
import { equal, has, hasType, throws } from '../../../src/analysis/construct.js';
import { Store } from '../../../src/analysis/store.js';
import type { EffectOutcome, Outcome, Summary } from '../../../src/analysis/summary.js';
import { testText } from '../../../src/analysis/text-tests.js';
import type { Behaviour, Guard, JsonType, TermId } from '../../../src/analysis/terms.js';
import type { Knowledge } from '../../../src/analysis/theory.js';
import { literalOf } from '../../../src/analysis/literal.js';
import { PLAIN_ENVELOPE, type Envelope } from '../../../src/compatibility/envelope.js';
import { decideCall } from '../../../src/compatibility/decide.js';
import type { CallDecision } from '../../../src/compatibility/verdict.js';
import type { JsonObject } from '../../../src/base/canonical-json.js';

export const NO_FOLD: Fold = { term: () => undefined, test: () => undefined };
export const KNOWLEDGE: Knowledge = {
  fold: NO_FOLD,
  isSubclass: (identity, ancestor) => identity === ancestor,
  classes: [],
  relations: [],
  relationHolds: () => undefined,
};
export const REVIEWED = { knowledge: KNOWLEDGE, envelope: PLAIN_ENVELOPE };

export const behaviour = (callee: string, range = '*'): Behaviour => ({ callee, form: 'only', range, entry: 'sha256:0' });

export interface EffectOptions {
  readonly when?: Guard;
  readonly dimensions?: Record<string, TermId>;
  readonly exact?: boolean;
  readonly protective?: boolean;
  readonly baseline?: boolean;
  readonly contexts?: readonly string[];
  readonly resource?: TermId;
  readonly loops?: readonly number[];
  readonly callee?: string;
}

export class Builder {
  readonly store: Store;
  private readonly outcomes: Outcome[] = [];
  private readonly inputNames = new Set<string>();
  private effectCount = 0;
  domain: Guard = TRUE;

  constructor(store: Store) {
    this.store = store;
  }

  arg(name: string): TermId {
    return this.store.intern({ kind: 'argument', path: [name] });
  }
  has(name: string): Guard {
    return has(this.store, [name]);
  }
  is(name: string, type: JsonType): Guard {
    return hasType(this.store, this.arg(name), type);
  }
  equals(name: string, value: TermId): Guard {
    return this.store.guards.and(this.has(name), equal(this.store, this.arg(name), value));
  }
  startsWith(name: string, text: string): Guard {
    return this.store.guards.and(this.has(name), testText(this.store, 'text.startsWith', [this.arg(name), this.store.string(text)]));
  }
  input(name: string, type?: string): TermId {
    this.inputNames.add(name);
    return this.store.intern({ kind: 'input', name, ...(type === undefined ? {} : { type }) });
  }
  /** A reading call in the world as the call found it. */
  observe(callee: string, args: readonly TermId[] = [], range = '*'): TermId {
    return this.store.intern({ kind: 'observe', behaviour: behaviour(callee, range), args: [this.store.null, ...args], world: this.store.startWorld });
  }
  fails(callee: string, args: readonly TermId[] = [], type?: string): Guard {
    return throws(this.store, this.observe(callee, args), type);
  }

  effect(operation: string, options: EffectOptions = {}): this {
    const dimensions = Object.entries(options.dimensions ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => ({ name, value, exact: options.exact ?? true }));
    const callee = options.callee ?? operation;
    const outcome: EffectOutcome = {
      kind: 'effect',
      when: options.when ?? TRUE,
      call: this.store.intern({
        kind: 'observe',
        behaviour: behaviour(callee),
        args: [this.store.null, ...dimensions.map((d) => d.value)],
        world: this.store.intern({ kind: 'world', after: [], name: `${callee}${String(this.effectCount)}` }),
        ...(options.resource === undefined ? {} : { resource: options.resource }),
      }),
      behaviour: behaviour(callee),
      operation,
      dimensions,
      protective: options.protective ?? false,
      baseline: options.baseline ?? false,
      contexts: (options.contexts ?? []).map((context) => ({ operation: context, dimensions: [] })),
      loops: options.loops ?? [],
      order: this.effectCount,
    };
    this.effectCount += 1;
    this.outcomes.push(outcome);
    return this;
  }
  disclose(source: TermId, when: Guard = TRUE, channel = 'caller'): this {
    this.outcomes.push({ kind: 'disclose', when, channel, source });
    return this;
  }
  throws(when: Guard, effectsBefore: Guard = FALSE): this {
    this.outcomes.push({ kind: 'exit', when, how: 'throw', effectsBefore });
    return this;
  }
  returns(when: Guard = TRUE): this {
    this.outcomes.push({ kind: 'exit', when, how: 'return', effectsBefore: FALSE });
    return this;
  }
  escalate(when: Guard = TRUE): this {
    this.outcomes.push({ kind: 'escalate', when, code: 'unreviewed-callee', message: 'something is not reviewed', next: 'review it' });
    return this;
  }
  build(): Summary {
    return {
      store: this.store,
      tool: 'tool',
      language: 'python',
      domain: this.domain,
      serving: TRUE,
      absent: false,
      outcomes: this.outcomes,
      inputs: [...this.inputNames].sort(),
      behaviours: [],
      spans: this.outcomes.map((_, at) => [{ file: 'server.py', line: at + 1, column: 1, endLine: at + 1, endColumn: 2 }]),
    };
  }
}

export function pair(): { store: Store; source: Builder; target: Builder } {
  const store = new Store();
  return { store, source: new Builder(store), target: new Builder(store) };
}

export interface Built {
  readonly build: () => Summary;
}

export function decideWith(
  source: Built,
  target: Built,
  args: JsonObject,
  inputs: { source?: Record<string, string | null>; target?: Record<string, string | null> } = {},
  envelope: Envelope = PLAIN_ENVELOPE,
): CallDecision {
  return decideCall(
    source.build(),
    target.build(),
    { arguments: literalOf(args), inputs: { source: new Map(Object.entries(inputs.source ?? {})), target: new Map(Object.entries(inputs.target ?? {})) } },
    { knowledge: KNOWLEDGE, envelope },
  );
}
