/** Generated programs: the text round-trips, the verifier has nothing to say, digests ignore names and nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression, Statement } from '../../../src/ir/nodes.js';
import { structuralDigest } from '../../../src/ir/normal-form.js';
import { parseExpression, parseFunction, parseProgram, parseStatements } from '../../../src/ir/parse.js';
import { printExpression, printFunction, printProgram, printStatements } from '../../../src/ir/print.js';
import type { IrFunction, Program } from '../../../src/ir/program.js';
import { verifyProgram } from '../../../src/ir/verify.js';
import type { IrIssueCode } from '../../../src/ir/verify-issue.js';
import { deepVisitor } from '../../../src/ir/walk.js';
import { ROOT, wellFormedProgram } from './arbitraries.js';

const file = 'text.ir';
const RUNS = { numRuns: 100 };

describe('any well-formed program', () => {
  it('with spans is read back as it was', () => {
    fc.assert(
      fc.property(wellFormedProgram, (program) => {
        expect(parseProgram(printProgram(program, { spans: true }), { file })).toStrictEqual(program);
      }),
      RUNS,
    );
  });

  it('without spans is printed again as the same text', () => {
    fc.assert(
      fc.property(wellFormedProgram, (program) => {
        const text = printProgram(program);
        expect(printProgram(parseProgram(text, { file }))).toBe(text);
      }),
      RUNS,
    );
  });

  it('round-trips function by function, statement by statement, expression by expression', () => {
    fc.assert(
      fc.property(wellFormedProgram, (program) => {
        for (const fn of program.functions.values()) {
          const options = { file, owner: fn.id };
          expect(parseFunction(printFunction(fn, { spans: true }), { file })).toStrictEqual(fn);
          expect(parseStatements(printStatements(fn.body, { spans: true, owner: fn.id }), options)).toStrictEqual(fn.body);
          for (const statement of fn.body) {
            if (statement.kind !== 'expression') continue;
            const text = printExpression(statement.expression, { spans: true, owner: fn.id });
            expect(parseExpression(text, options)).toStrictEqual(statement.expression);
          }
        }
      }),
      RUNS,
    );
  });

  it('has no issue', () => {
    fc.assert(
      fc.property(wellFormedProgram, (program) => {
        expect(verifyProgram(program)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('has every kind of node somewhere', () => {
    const seen = new Set<string>();
    for (const program of fc.sample(wellFormedProgram, { numRuns: 500, seed: 7 })) {
      const visit = deepVisitor({
        expression: (node) => void seen.add(`expression ${node.kind}`),
        target: (node) => void seen.add(`target ${node.kind}`),
        pattern: (node) => void seen.add(`pattern ${node.kind}`),
        statement: (node) => void seen.add(`statement ${node.kind}`),
      });
      for (const fn of program.functions.values()) fn.body.forEach(visit.statement);
    }
    // 22 expressions, 6 targets, 8 patterns, 20 statements.
    expect([...seen].sort()).toHaveLength(22 + 6 + 8 + 20);
  });
});

const span = { file, line: 1, column: 1, endLine: 1, endColumn: 2 };
const nothing: Expression = { kind: 'constant', span, value: { type: 'null' } };
const local = (name: string, owner = ROOT): Extract<Expression, { kind: 'local' }> => ({ kind: 'local', span, name, owner });
const statementOf = (expression: Expression): Statement => ({ kind: 'expression', span, expression });

/** Each puts one defect into a program that had none. */
const DEFECTS: readonly { readonly code: IrIssueCode; readonly seed: (program: Program) => Program }[] = [
  { code: 'break-outside-loop', seed: (p) => append(p, { kind: 'break', span }) },
  { code: 'break-outside-loop', seed: (p) => append(p, { kind: 'continue', span }) },
  { code: 'rethrow-outside-handler', seed: (p) => append(p, { kind: 'throw', span }) },
  { code: 'yield-outside-generator', seed: (p) => append(change(p, { generator: false }), statementOf({ kind: 'yield', span, delegate: false })) },
  { code: 'await-outside-async', seed: (p) => append(change(p, { async: false }), statementOf({ kind: 'await', span, value: nothing })) },
  { code: 'local-without-owner', seed: (p) => append(p, statementOf(local('x', 'app.main#gone'))) },
  { code: 'unknown-function', seed: (p) => append(p, statementOf({ kind: 'closure', span, function: 'app.main#gone' })) },
  { code: 'unknown-class', seed: (p) => append(p, { kind: 'define-class', span, target: local('x'), class: 'app.main#gone' }) },
  { code: 'unknown-module', seed: (p) => append(p, statementOf({ kind: 'module-variable', span, module: 'gone', name: 'x' })) },
  { code: 'parent-mismatch', seed: (p) => append(p, statementOf({ kind: 'closure', span, function: ROOT })) },
  { code: 'parent-mismatch', seed: (p) => change(p, { parent: ROOT }) },
  { code: 'unlisted-write', seed: (p) => append(p, { kind: 'delete', span, target: { kind: 'module-variable', span, module: 'app.main', name: 'not listed' } }) },
  { code: 'catch-all-not-last', seed: (p) => append(p, { kind: 'try', span, body: [], handlers: [{ span, body: [] }, { span, body: [] }], otherwise: [], finally: [] }) },
  { code: 'several-starred', seed: (p) => append(p, { kind: 'assign', span, targets: [{ kind: 'unpack', span, elements: [{ target: local('a'), starred: true }, { target: local('b'), starred: true }] }], value: nothing }) },
  { code: 'argument-order', seed: (p) => append(p, statementOf({ kind: 'call', span, callee: nothing, arguments: [{ kind: 'keyword', name: 'k', value: nothing }, { kind: 'positional', value: nothing }], optional: false })) },
  { code: 'int-not-decimal', seed: (p) => append(p, statementOf({ kind: 'constant', span, value: { type: 'int', value: '1e3' } })) },
  { code: 'bad-span', seed: (p) => append(p, { kind: 'return', span: { ...span, endLine: 0 } }) },
  { code: 'id-mismatch', seed: (p) => ({ ...p, functions: new Map([...p.functions].map(([id, fn]) => [id === ROOT ? ROOT : id, id === ROOT ? { ...fn, id: `${ROOT}2`, body: [] } : fn])) }) },
  { code: 'empty-name', seed: (p) => append(p, statementOf({ kind: 'member', span, object: nothing, name: '', optional: false })) },
];

function change(program: Program, changed: Partial<IrFunction>): Program {
  const root = program.functions.get(ROOT);
  if (root === undefined) throw new Error('a program without root');
  return { ...program, functions: new Map([...program.functions, [ROOT, { ...root, ...changed }]]) };
}

function append(program: Program, statement: Statement): Program {
  return change(program, { body: [...(program.functions.get(ROOT)?.body ?? []), statement] });
}

describe('any program with a defect', () => {
  it.each(DEFECTS.map((defect, index) => ({ ...defect, index })))('$index: $code is found', ({ code, seed }) => {
    fc.assert(
      fc.property(wellFormedProgram, (program) => {
        expect(verifyProgram(seed(program)).map((issue) => issue.code)).toContain(code);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the structural digest of any function', () => {
  const digest = (program: Program): string => {
    const root = program.functions.get(ROOT);
    if (root === undefined) throw new Error('a program without root');
    return structuralDigest(root, program);
  };

  it('does not see spans', () => {
    fc.assert(
      fc.property(wellFormedProgram, (program) => {
        expect(digest(parseProgram(printProgram(program), { file }))).toBe(digest(program));
      }),
      RUNS,
    );
  });

  it('does not see the names of locals', () => {
    const rename = (program: Program): Program => {
      const seen = JSON.stringify([...program.functions.values()], (_key, value: unknown) => {
        if (typeof value !== 'object' || value === null) return value;
        if ('kind' in value && value.kind === 'local' && 'name' in value) return { ...value, name: `${String(value.name)}~renamed` };
        if ('defaultsAt' in value && 'parameters' in value) {
          const fn = value as IrFunction;
          const parameters = fn.parameters.map((parameter) => ({ ...parameter, name: `${parameter.name}~renamed` }));
          return { ...fn, parameters, writesOuter: fn.writesOuter.map((write) => (write.startsWith('@') ? write : `${write}~renamed`)) };
        }
        return value;
      });
      const functions = JSON.parse(seen) as IrFunction[];
      return { ...program, functions: new Map(functions.map((fn) => [fn.id, fn])) };
    };
    fc.assert(
      // Floats that JSON has no form for, and a local whose name looks like a module variable's in `writesOuter`, are left out.
      fc.property(wellFormedProgram.filter((program) => !/float\(|-0\.0f|%"@x"|::"@x"/.test(printProgram(program))), (program) => {
        const changed = rename({ ...program, classes: new Map() });
        expect(digest(changed)).toBe(digest({ ...program, classes: new Map() }));
      }),
      RUNS,
    );
  });

  it('sees a statement more, and a statement less', () => {
    fc.assert(
      fc.property(wellFormedProgram, (program) => {
        const more = append(program, statementOf(nothing));
        expect(digest(more)).not.toBe(digest(program));
        expect(digest(append(program, statementOf(local('zzz'))))).not.toBe(digest(more));
      }),
      RUNS,
    );
  });
});
