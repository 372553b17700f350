/**
 * One campaign: mutants of a handler against the handler itself, both ways round. What is true of a pair and a call is
 * found by running both in every world; the decision, which does not know the world, must never say less than that.
 */
import { pair, server, told, type Pair, type Release } from '../harness.js';
import type { Handler } from './handlers.js';
import { WORLDS } from './handlers.js';
import { isSame, record, staysInside, type Answer, type Recorded, type Run } from './recorder.js';

export interface Mutant {
  readonly operator: string;
  readonly module: string;
}

export interface Tally {
  /** Mutant and direction for which some call goes wrong in some world. */
  affected: number;
  changed: number;
  escalated: number;
  /** Calls that go the same way in every world. */
  same: number;
  equal: number;
  contained: number;
  /** Mutants that run like the handler, and that do not run at all. */
  alike: number;
  broken: number;
  readonly failures: string[];
  /** Operators that changed something for some call. */
  readonly operators: Set<string>;
}

export const newTally = (): Tally => ({
  affected: 0,
  changed: 0,
  escalated: 0,
  same: 0,
  equal: 0,
  contained: 0,
  alike: 0,
  broken: 0,
  failures: [],
  operators: new Set(),
});

export const releaseOf = (module: string): Release => server({ body: '', module });

export async function campaign(handler: Handler, mutants: readonly Mutant[], tally: Tally): Promise<void> {
  const runs: Run[] = handler.calls.flatMap((call) => WORLDS.map((world) => ({ call, world })));
  const base = releaseOf(handler.module);
  const releases = mutants.map((mutant) => releaseOf(mutant.module));
  const answers = await record([base, ...releases].map(({ files }) => ({ files, runs })));
  const own = runsOf(answers[0]!);
  if (own === undefined) throw new Error(`${handler.name} does not run: ${JSON.stringify(answers[0])}`);
  for (const [at, mutant] of mutants.entries()) {
    const ran = runsOf(answers[at + 1]!);
    if (ran === undefined) {
      tally.broken += 1;
      continue;
    }
    if (ran.every((one, k) => isSame(one, own[k]!) && staysInside(one, own[k]!) && staysInside(own[k]!, one))) tally.alike += 1;
    const there = await pair(base, releases[at]!);
    const back = await pair(releases[at]!, base);
    const before = tally.affected;
    judge(handler, mutant, { decisions: there, source: own, target: ran, way: 'to' }, tally);
    judge(handler, mutant, { decisions: back, source: ran, target: own, way: 'from' }, tally);
    if (tally.affected > before) tally.operators.add(mutant.operator);
  }
}

interface Direction {
  readonly decisions: Pair;
  readonly source: readonly Recorded[];
  readonly target: readonly Recorded[];
  readonly way: 'to' | 'from';
}

function judge(handler: Handler, mutant: Mutant, { decisions, source, target, way }: Direction, tally: Tally): void {
  handler.calls.forEach((call, k) => {
    const worlds = WORLDS.map((world, w) => ({ world, before: source[k * WORLDS.length + w]!, after: target[k * WORLDS.length + w]! }));
    const outside = worlds.find(({ before, after }) => !staysInside(after, before));
    const differs = worlds.find(({ before, after }) => !isSame(after, before));
    const decision = decisions.decide(call);
    const fail = (what: string, found: (typeof worlds)[number]): void => {
      tally.failures.push(
        `${what}: ${way} the mutant "${mutant.operator}" of ${handler.name}, for ${JSON.stringify(call)} in ${JSON.stringify(found.world)}\nsource did ${JSON.stringify(found.before)}\ntarget did ${JSON.stringify(found.after)}\n${told(decision)}\n--- mutant\n${mutant.module}`,
      );
    };
    if (outside !== undefined) {
      tally.affected += 1;
      if (decision.verdict === 'changed') tally.changed += 1;
      else if (decision.verdict === 'escalated') tally.escalated += 1;
      else fail('contained, and it is not', outside);
      return;
    }
    if (decision.verdict === 'equal' && differs !== undefined) fail('equal, and it is not', differs);
    if (differs !== undefined) return;
    tally.same += 1;
    if (decision.verdict === 'equal') tally.equal += 1;
    if (decision.verdict === 'equal' || decision.verdict === 'narrower') tally.contained += 1;
  });
}

function runsOf(answer: Answer): readonly Recorded[] | undefined {
  return 'broken' in answer ? undefined : answer;
}
