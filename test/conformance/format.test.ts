/** The format of cases and its runner, mostly on steps that are made up; the cases themselves run in cases.test.ts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLiteral } from '../../src/analysis/literal.js';
import { FcdError } from '../../src/base/errors.js';
import { readSidedInputs } from '../../src/pipeline/inputs.js';
import { loadInventory, loadProfile } from '../../src/profile/load.js';
import { readCase } from './conformance-case.js';
import { runCase, type CaseResult, type ConformanceSteps } from './run-case.js';
import { compilerSteps } from './steps.js';
import { formatTxtar, parseTxtar } from './txtar.js';

const file = 'case.txtar';
const README = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const EXAMPLE = /```txtar\n([\s\S]*?)```/.exec(README)?.[1] ?? '';

/** A summary is the list of callees of what functions return; enough to tell programs apart. */
const steps: ConformanceSteps<string, readonly string[]> = {
  load: (one) => one.inventory?.text ?? '',
  summarize: (program) =>
    [...program.functions.values()].flatMap((fn) =>
      fn.body.flatMap((statement) => {
        if (statement.kind !== 'return' || statement.value?.kind !== 'call' || statement.value.callee.kind !== 'external') return [];
        return [statement.value.callee.identity];
      }),
    ),
  printSummary: (summary) => summary.map(() => 'effect file.delete { path: args.path }\nreturns, after an effect\n').join(''),
  decide: (source, target) => (source.join() === target.join() ? 'equal' : 'changed'),
};

const edited = (from: string | RegExp, to: string): string => {
  const text = EXAMPLE.replace(from, to);
  expect(text, 'the edit changes something').not.toBe(EXAMPLE);
  return text;
};

describe('txtar', () => {
  it('is written back as it was read', () => {
    expect(formatTxtar(parseTxtar(EXAMPLE, file))).toBe(EXAMPLE);
  });

  it('has a comment and sections with their lines', () => {
    expect(parseTxtar('why\n-- a --\n1\n\n2\n-- b c --\n', file)).toEqual({
      comment: 'why\n',
      sections: [
        { name: 'a', text: '1\n\n2\n', line: 3 },
        { name: 'b c', text: '', line: 7 },
      ],
    });
  });

  it.each([
    ['a\n-- b --\n-- b --\n', 'case.txtar:3: the section b is there twice'],
    ['a\n--b--\n', 'case.txtar:2: a section begins with "-- name --"'],
    ['a\n -- b -- \n', 'case.txtar:2: a section begins with'],
    ['a\n-- b --\r\n', 'case.txtar:2: lines end with a line feed alone'],
  ])('%j is an error', (text, message) => {
    expect(() => parseTxtar(text, file)).toThrow(message);
  });
});

describe('a case', () => {
  it('places its texts in the file', () => {
    const one = readCase(EXAMPLE, file);
    expect(one.ir.text.split('\n')[one.ir.linesBefore]).toBe('program python');
    expect(EXAMPLE.split('\n')[one.ir.linesBefore]).toBe('program python');
    expect(one.calls.map((call) => call.text.trim())).toEqual(['{"path": "a"}']);
  });

  it('holds an inventory, a profile and a deployment as the product loads them', () => {
    const { inventory, profile, deployment } = readCase(EXAMPLE, file);
    expect([...loadInventory(inventory!).inventory.entries.keys()]).toEqual(['py:bin#remove']);
    expect(loadProfile(profile!, () => undefined).profile.tool).toBe('remove');
    expect(readSidedInputs(parseLiteral(deployment!.text)).source.get('dependency:bin')).toBe('1.0');
    const broken = readCase(edited('model: effect', 'model: efect'), file);
    expect(() => loadInventory(broken.inventory!)).toThrow(/case\.txtar:\d+:\d+: /);
  });

  it('needs no inventory, profile or deployment of its own', () => {
    const one = readCase(edited(/-- inventory --[\s\S]*(?=-- summary)/, ''), file);
    expect([one.inventory, one.profile, one.deployment]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['another section', /-- summary --/, '-- sumary --', /no section is called sumary/],
    ['no program', /-- ir --[\s\S]*(?=-- inventory)/, '', /a case has the section ir/],
    ['a deployment of two lines', /(?<=-- deployment --\n.*\n)/, '{}\n', /a deployment is one line/],
    ['nothing to expect', /-- summary --[\s\S]*/, '', /expects a summary, a verdict or both/],
    ['calls without verdict', /-- verdict --[\s\S]*/, '', /calls and verdict come together/],
    ['a verdict without calls', /-- calls --\n.*\n/, '', /calls and verdict come together/],
    ['a verdict too many', /equal\n$/, 'equal\nequal\n', /:\d+: the verdict has one line for each call/],
    ['a target that nothing asks about', /-- calls --[\s\S]*/, '-- target-ir --\nprogram python\n', /a target without calls is never looked at/],
    ['no sentence', /^.*\n/, '', /begins with a sentence/],
  ])('with %s is an error', (_what, from, to, message) => {
    expect(() => readCase(edited(from, to), file)).toThrow(message);
  });
});

describe('the runner', () => {
  const run = (text: string, changed: Partial<typeof steps> = {}): CaseResult => runCase(readCase(text, file), { ...steps, ...changed });
  const findings = (text: string, changed: Partial<typeof steps> = {}): CaseResult['findings'] => run(text, changed).findings;

  it('has nothing to say about the example', () => {
    expect(findings(EXAMPLE)).toEqual([]);
  });

  it('runs the example through the compiler', () => {
    expect(runCase(readCase(EXAMPLE, file), compilerSteps).findings).toEqual([]);
  });

  it('finds another summary and another verdict, and tells what came out', () => {
    expect(findings(EXAMPLE, { printSummary: () => 'nothing\n' })).toMatchObject([{ step: 'summary', actual: 'nothing\n' }]);
    expect(findings(EXAMPLE, { decide: () => 'changed' })).toMatchObject([{ step: 'verdict', expected: 'equal', actual: 'changed' }]);
    expect(run(EXAMPLE, { decide: () => 'changed' })).toMatchObject({ summary: 'effect file.delete { path: args.path }\nreturns, after an effect\n', verdicts: ['changed'] });
  });

  it('compares with the target program where there is one', () => {
    const target = '-- target-ir --\nprogram python\nmodule app file=app.py {\n}\nfunction app#handle () {\n}\n-- calls --';
    expect(findings(edited('-- calls --', target))).toMatchObject([{ step: 'verdict', expected: 'equal', actual: 'changed' }]);
  });

  it('tells where the program is wrong', () => {
    const line = EXAMPLE.slice(0, EXAMPLE.indexOf('return call')).split('\n').length;
    expect(findings(edited('return call', 'retrun call'))).toMatchObject([{ step: 'ir', message: expect.stringContaining(`case.txtar:${line}:3: expected an expression, found "retrun"`) }]);
    expect(findings(edited('return call', 'break\n  return call'))).toMatchObject([{ step: 'verify', message: expect.stringContaining(`case.txtar:${line}:3: break-outside-loop`) }]);
  });

  it('takes an operating error of a step as a finding, and no bug', () => {
    const refuse = (): never => {
      throw new FcdError('profile-invalid', 'no such key');
    };
    expect(findings(EXAMPLE, { load: refuse })).toEqual([{ step: 'load', message: 'profile-invalid: no such key' }]);
    const breaks = (): never => {
      throw new TypeError('a bug');
    };
    expect(() => run(EXAMPLE, { summarize: breaks })).toThrow('a bug');
  });
});
