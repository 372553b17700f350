/** Visitors reach every node; the sample program holds every kind, so the tests that use it do too. */
import { describe, expect, it } from 'vitest';
import type { Expression, Pattern, Statement, Target } from '../../../src/ir/nodes.js';
import { parseExpression, parseProgram, parseStatements } from '../../../src/ir/parse.js';
import { printProgram } from '../../../src/ir/print.js';
import { deepVisitor, forEachChildOfExpression, forEachHeadExpression } from '../../../src/ir/walk.js';
import { EVERY_KIND } from './every-kind.js';

const file = 'case.ir';

/** Typed by the unions: a new kind does not compile until it is here, and fails until the sample has it. */
const EXPRESSIONS: Record<Expression['kind'], true> = {
  'constant': true,
  'local': true,
  'module-variable': true,
  'external': true,
  'list': true,
  'record': true,
  'comprehension': true,
  'member': true,
  'index': true,
  'slice': true,
  'call': true,
  'new': true,
  'closure': true,
  'unary': true,
  'binary': true,
  'logical': true,
  'conditional': true,
  'template': true,
  'assign-expression': true,
  'await': true,
  'yield': true,
  'unsupported': true,
};
const TARGETS: Record<Target['kind'], true> = { 'local': true, 'module-variable': true, 'member': true, 'index': true, 'unpack': true, 'unsupported': true };
const PATTERNS: Record<Pattern['kind'], true> = { wildcard: true, capture: true, value: true, or: true, sequence: true, mapping: true, class: true, unsupported: true };
const STATEMENTS: Record<Statement['kind'], true> = {
  'assign': true,
  'augmented-assign': true,
  'delete': true,
  'expression': true,
  'if': true,
  'match': true,
  'for-each': true,
  'while': true,
  'break': true,
  'continue': true,
  'return': true,
  'throw': true,
  'try': true,
  'with': true,
  'defer': true,
  'spawn': true,
  'assert': true,
  'define-function': true,
  'define-class': true,
  'unsupported': true,
};

describe('visitors', () => {
  it('reach every kind of node of the sample', () => {
    const seen = { expression: new Set<string>(), target: new Set<string>(), pattern: new Set<string>(), statement: new Set<string>() };
    const visit = deepVisitor({
      expression: (node) => void seen.expression.add(node.kind),
      target: (node) => void seen.target.add(node.kind),
      pattern: (node) => void seen.pattern.add(node.kind),
      statement: (node) => void seen.statement.add(node.kind),
    });
    for (const fn of parseProgram(EVERY_KIND, { file }).functions.values()) {
      forEachHeadExpression(fn, visit.expression);
      fn.body.forEach(visit.statement);
    }
    expect([...seen.expression].sort()).toEqual(Object.keys(EXPRESSIONS).sort());
    expect([...seen.target].sort()).toEqual(Object.keys(TARGETS).sort());
    expect([...seen.pattern].sort()).toEqual(Object.keys(PATTERNS).sort());
    expect([...seen.statement].sort()).toEqual(Object.keys(STATEMENTS).sort());
  });

  /** Each node has one annotation in print, so the annotations say how many nodes there are. */
  it('reach every node that the printer prints', () => {
    const program = parseProgram(EVERY_KIND, { file });
    let count = 0;
    const one = (): void => void (count += 1);
    const visit = deepVisitor({ expression: one, target: one, pattern: one, statement: one });
    for (const fn of program.functions.values()) {
      count += 1 + fn.parameters.length;
      forEachHeadExpression(fn, visit.expression);
      fn.body.forEach(visit.statement);
    }
    for (const module of program.modules.values()) {
      count += module.bindings.size;
      for (const binding of module.bindings.values()) if (binding.kind === 'value') visit.expression(binding.value);
      module.effects.forEach(visit.statement);
    }
    for (const definition of program.classes.values()) {
      count += 1 + definition.fields.length;
      for (const field of definition.fields) for (const part of [field.annotation, field.default]) if (part !== undefined) visit.expression(part);
      [...definition.bases, ...definition.decorators].forEach(visit.expression);
      definition.unsupported.forEach(visit.statement);
    }
    count += program.foreignWrites.length + program.syntaxErrors.length;
    // Cases and handlers are no nodes of their own and have spans.
    const cases = (EVERY_KIND.match(/^ *case |catch/gm) ?? []).length;
    expect(count + cases).toBe((printProgram(program, { spans: true }).match(/@case\.ir:\d+:\d+-/g) ?? []).length);
  });

  it('visit children in order of evaluation', () => {
    const names: string[] = [];
    const see = (node: { kind: string; name?: string }): void => {
      if (node.kind === 'local') names.push(node.name ?? '');
    };
    const visit = deepVisitor({ expression: see, target: see });
    parseStatements('%d.x = [%e] = call %a(%b, k = %c)', { file, owner: 'm#f' }).forEach(visit.statement);
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('visit the direct children only', () => {
    const seen: string[] = [];
    const see = (node: { kind: string }): void => void seen.push(node.kind);
    forEachChildOfExpression(parseExpression('binary py.add(await 1, list[2])', { file }), { expression: see, target: see, pattern: see, statement: see });
    expect(seen).toEqual(['await', 'list']);
  });
});
