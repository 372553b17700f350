/**
 * Handlers rewritten in ways that change nothing: every call is found equal, and the semantic digests are equal where the
 * design promises it. That nothing changes is itself checked by running both (mutation/recorder.ts).
 */
import { describe, expect, test } from 'vitest';
import { pair, semanticDigest, server, told } from './harness.js';
import { HANDLERS, WORLDS } from './mutation/handlers.js';
import { PRESERVING } from './mutation/preserving.js';
import { HAS_PYTHON, isSame, record } from './mutation/recorder.js';

describe.skipIf(!HAS_PYTHON)('effect-preserving rewrites', () => {
  const counts = { rewrites: 0, calls: 0, equal: 0, digests: 0, sameDigest: 0 };
  const operators = new Set<string>();
  const problems: string[] = [];

  test.each(HANDLERS.map((handler) => [handler.name, handler] as const))('%s', async (_name, handler) => {
    const base = server({ body: '', module: handler.module });
    const digest = await semanticDigest(base);
    const rewrites = PRESERVING.flatMap((operator) =>
      operator
        .rewrites(handler.module)
        .filter(({ module }) => module !== handler.module)
        .map((rewritten) => ({ operator, rewritten, release: server({ body: '', module: rewritten.module, files: rewritten.files ?? {} }) })),
    );
    const runs = handler.calls.flatMap((call) => WORLDS.map((world) => ({ call, world })));
    const [own, ...answers] = await record([base, ...rewrites.map(({ release }) => release)].map(({ files }) => ({ files, runs })));
    const found: string[] = [];
    for (const [at, { operator, rewritten, release }] of rewrites.entries()) {
      const where = `"${operator.name}" of ${handler.name}\n${rewritten.module}`;
      const [before, after] = [own!, answers[at]!];
      if ('broken' in before || 'broken' in after) throw new Error(`does not run: ${JSON.stringify(after)} ${where}`);
      const differs = after.findIndex((one, k) => !isSame(one, before[k]!));
      if (differs >= 0) throw new Error(`the operator is wrong: ${JSON.stringify([runs[differs], before[differs], after[differs]])} ${where}`);
      counts.rewrites += 1;
      operators.add(operator.name);
      const both = await pair(base, release);
      for (const call of handler.calls) {
        counts.calls += 1;
        const decision = both.decide(call);
        if (decision.verdict === 'equal') counts.equal += 1;
        else found.push(`not equal for ${JSON.stringify(call)}: ${told(decision)}\n${where}`);
      }
      if (!operator.digest) continue;
      counts.digests += 1;
      if ((await semanticDigest(release)) === digest) counts.sameDigest += 1;
      else found.push(`other digest: ${where}`);
    }
    problems.push(...found);
    expect(found, found.join('\n\n')).toEqual([]);
  });

  test('at least ten operators apply, and nothing looks changed', () => {
    const rate = (part: number, whole: number): string => `${String(part)} of ${String(whole)} (${((100 * part) / Math.max(whole, 1)).toFixed(1)} %)`;
    console.log(
      `${String(operators.size)} operators, ${String(counts.rewrites)} rewrites: calls found equal ${rate(counts.equal, counts.calls)}, digests equal ${rate(counts.sameDigest, counts.digests)}`,
    );
    expect(operators.size).toBeGreaterThanOrEqual(10);
    expect(problems).toEqual([]);
  });
});
