/**
 * fast-check arbitraries for well-formed programs. What is generated is a plan: a function that is given the place where
 * the node will stand and returns the node. So a `break` becomes one only inside a loop, locals belong to activations that
 * are around, ids are unique, and every node has a span of its own (a printer that mixes spans up is found).
 */
import fc from 'fast-check';
import type { Argument, Clause, ConstantValue, Expression, FunctionId, Pattern, Statement, Target, TemplatePart, UnsupportedCode } from '../../../src/ir/nodes.js';
import type { IrClass, IrFunction, Parameter, Program } from '../../../src/ir/program.js';
import type { Span } from '../../../src/ir/span.js';

export interface ProgramUnderWay {
  readonly functions: Map<FunctionId, IrFunction>;
  readonly classes: Map<string, IrClass>;
  count: number;
}

/** Where a node will stand. */
export interface Site {
  readonly program: ProgramUnderWay;
  /** Innermost first, scopes of comprehensions included. */
  readonly around: readonly FunctionId[];
  readonly function: FunctionId;
  readonly writes: Set<string>;
  readonly loop: boolean;
  readonly handler: boolean;
  readonly async: boolean;
  readonly generator: boolean;
}

export type Plan<Node> = (site: Site) => Node;

const MODULE = 'app.main';
/** Plain names, names that look like words of the form, and names that must be quoted. */
const NAMES = ['a', 'b', 'x1', '_', '$', 'größe', 'if', 'list', 'rest', 'from', 'async', 'a b', 'a::b', '"', '@x', '%', '1st', 'new\nline', '\ud800', 'a.b', '#private'];
const OPERATORS = ['py.add', 'py.eq', 'js.strictEq', '+', 'odd operator', 'x='];
const CODES: UnsupportedCode[] = ['syntax-error', 'unsupported-syntax', 'unresolved-name', 'metaclass'];

const name = fc.constantFrom(...NAMES);
const operator = fc.constantFrom(...OPERATORS);
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '"', '\\', '\n', '@f.py:1:2-3:4', '; no comment', '\ud800'));
const constantValue: fc.Arbitrary<ConstantValue> = fc.oneof(
  fc.constant<ConstantValue>({ type: 'null' }),
  fc.constant<ConstantValue>({ type: 'undefined' }),
  fc.boolean().map((value): ConstantValue => ({ type: 'boolean', value })),
  text.map((value): ConstantValue => ({ type: 'string', value })),
  fc.uint8Array({ maxLength: 4 }).map((bytes): ConstantValue => ({ type: 'bytes', hex: Buffer.from(bytes).toString('hex') })),
  fc.bigInt().map((value): ConstantValue => ({ type: 'int', value: String(value) })),
  fc.double().map((value): ConstantValue => ({ type: 'float', value })),
  name.map((one): ConstantValue => ({ type: 'special', name: one })),
);

function spanFor(site: Site): Span {
  const line = (site.program.count += 1);
  return { file: line % 3 === 0 ? 'odd name:1.py' : 'src/a.py', line, column: (line % 7) + 1, endLine: line + (line % 2), endColumn: (line % 7) + 3 };
}

function uniqueId(site: Site, kind: string): string {
  site.program.count += 1;
  return `${site.function}.${kind}${site.program.count}`;
}

/** An activation that is around the site; `pick` chooses. */
function ownerAt(site: Site, pick: number): FunctionId {
  return site.around[pick % site.around.length]!;
}

function writtenLocal(site: Site, pick: number, one: string): Target {
  const owner = ownerAt(site, pick);
  // Beyond the function itself the variable outlives the activation.
  if (site.around.indexOf(owner) > site.around.indexOf(site.function)) site.writes.add(one);
  return { kind: 'local', span: spanFor(site), name: one, owner };
}

const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(value, { nil: undefined });
const few = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => fc.array(value, { maxLength: 3 });
const some = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => fc.array(value, { minLength: 1, maxLength: 3 });
const maybe = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });

/** A type, not an interface: fast-check asks for an index signature. */
type Plans = {
  readonly expression: Plan<Expression>;
  readonly target: Plan<Target>;
  readonly pattern: Plan<Pattern>;
  readonly statement: Plan<Statement>;
  readonly block: Plan<Statement>[];
};

/** Small enough for hundreds of programs in seconds; the counts in the property test show that every kind still occurs. */
const depthSize = { maxDepth: 3, depthSize: 'small' } as const;

export const plans = fc.letrec<Plans>((tie) => {
  const expression = tie('expression');
  const target = tie('target');
  const pattern = tie('pattern');
  const statement = tie('statement');
  const block = tie('block');
  const pick = fc.nat({ max: 5 });
  const leaf: fc.Arbitrary<Plan<Expression>> = fc.oneof(
    constantValue.map((value): Plan<Expression> => (site) => ({ kind: 'constant', span: spanFor(site), value })),
    fc.tuple(name, pick).map(([one, n]): Plan<Expression> => (site) => ({ kind: 'local', span: spanFor(site), name: one, owner: ownerAt(site, n) })),
    name.map((one): Plan<Expression> => (site) => ({ kind: 'module-variable', span: spanFor(site), module: MODULE, name: one })),
    fc.constantFrom('py:git#Repo', 'py:a b', 'py:<x>', '"').map((identity): Plan<Expression> => (site) => ({ kind: 'external', span: spanFor(site), identity })),
    fc.tuple(fc.constantFrom(...CODES), text).map(([code, detail]): Plan<Expression> => (site) => ({ kind: 'unsupported', span: spanFor(site), code, detail })),
  );
  const args = fc.tuple(few(fc.tuple(expression, fc.boolean())), fc.uniqueArray(fc.tuple(name, expression), { maxLength: 2, selector: ([one]) => one }), optional(expression));
  const buildArguments = (site: Site, [first, keywords, last]: [[Plan<Expression>, boolean][], [string, Plan<Expression>][], Plan<Expression> | undefined]): Argument[] => [
    ...first.map(([value, spread]): Argument => ({ kind: spread ? 'spread' : 'positional', value: value(site) })),
    ...keywords.map(([one, value]): Argument => ({ kind: 'keyword', name: one, value: value(site) })),
    ...(last === undefined ? [] : [{ kind: 'spread-keywords' as const, value: last(site) }]),
  ];
  const templatePart = fc.oneof(
    text.map((one): Plan<TemplatePart> => () => ({ kind: 'text', text: one })),
    fc.tuple(expression, fc.constantFrom('str', 'repr', '', 'odd one'), optional(few(text))).map(
      ([value, conversion, format]): Plan<TemplatePart> => (site) => ({
        kind: 'value',
        value: value(site),
        conversion,
        ...maybe('format', format?.map((one): TemplatePart => ({ kind: 'text', text: one }))),
      }),
    ),
  );
  const clause = fc.tuple(fc.boolean(), name, expression, fc.boolean(), fc.boolean());
  const comprehension = fc.tuple(fc.constantFrom('list' as const, 'set' as const, 'record' as const, 'generator' as const), expression, expression, fc.tuple(name, expression, fc.boolean()), few(clause)).map(
    ([as, key, value, [one, collection, async], rest]): Plan<Expression> =>
      (site) => {
        const span = spanFor(site);
        const scope = uniqueId(site, '<comp>');
        const lazy = as === 'generator';
        const outer: Site = { ...site, around: [scope, ...site.around], generator: false, async: site.async && !lazy };
        const inner: Site = { ...outer, async: site.async || lazy };
        const bind = (bound: string): Target => ({ kind: 'local', span: spanFor(site), name: bound, owner: scope });
        const first: Clause = { kind: 'for', target: bind(one), iterable: collection(outer), async: async && inner.async };
        const clauses = rest.map(([isFor, bound, test, isAsync, unpacked]): Clause => {
          if (!isFor) return { kind: 'if', test: test(inner) };
          const into: Target = unpacked ? { kind: 'unpack', span: spanFor(site), elements: [{ target: bind(bound), starred: true }] } : bind(bound);
          return { kind: 'for', target: into, iterable: test(inner), async: isAsync && inner.async };
        });
        return { kind: 'comprehension', span, as, scope, ...(as === 'record' ? { key: key(inner) } : {}), value: value(inner), clauses: [first, ...clauses] };
      },
  );
  const functionPlan = fc
    .tuple(fc.boolean(), fc.boolean(), fc.boolean(), block, fc.uniqueArray(fc.tuple(name, optional(expression), optional(expression)), { maxLength: 6, selector: ([one]) => one }), few(expression), optional(expression), optional(name))
    .map(([async, generator, atCall, body, parameters, decorators, returns, own]) => (site: Site, id: FunctionId, parent: FunctionId | undefined): IrFunction => {
      const around = parent === undefined ? [id] : [id, ...site.around];
      const writes = new Set<string>();
      const inside: Site = { program: site.program, around, function: id, writes, loop: false, handler: false, async, generator };
      const head = atCall ? inside : site;
      const fn: IrFunction = {
        id,
        name: own ?? id.slice(Math.max(id.lastIndexOf('.'), id.lastIndexOf('#')) + 1),
        module: MODULE,
        ...maybe('parent', parent),
        span: spanFor(site),
        parameters: parent === undefined && !atCall ? [] : buildParameters(head, parameters),
        async,
        generator,
        defaultsAt: atCall ? 'call' : 'definition',
        decorators: parent === undefined && !atCall ? [] : decorators.map((one) => one(head)),
        body: body.map((one) => one(inside)),
        ...maybe('returns', parent === undefined && !atCall ? undefined : returns?.(head)),
        writesOuter: [],
      };
      return { ...fn, writesOuter: [...writes].sort() };
    });
  const made = functionPlan.map((build) => (site: Site, kind: string): FunctionId => {
    const id = uniqueId(site, kind);
    site.program.functions.set(id, build(site, id, ownerAt(site, 0)));
    return id;
  });
  const node = (build: (site: Site) => Expression): Plan<Expression> => build;
  return {
    expression: fc.oneof(
      depthSize,
      leaf,
      fc.tuple(fc.constantFrom('list' as const, 'tuple' as const, 'set' as const), few(fc.tuple(fc.constantFrom('item' as const, 'spread' as const), expression))).map(([as, elements]) =>
        node((site) => ({ kind: 'list', span: spanFor(site), as, elements: elements.map(([kind, value]) => ({ kind, value: value(site) })) })),
      ),
      few(fc.tuple(optional(expression), expression)).map((entries) =>
        node((site) => ({ kind: 'record', span: spanFor(site), entries: entries.map(([key, value]) => (key === undefined ? { kind: 'spread', value: value(site) } : { kind: 'entry', key: key(site), value: value(site) })) })),
      ),
      comprehension,
      fc.tuple(expression, name, fc.boolean()).map(([object, one, isOptional]) => node((site) => ({ kind: 'member', span: spanFor(site), object: object(site), name: one, optional: isOptional }))),
      fc.tuple(expression, expression, fc.boolean()).map(([object, index, isOptional]) => node((site) => ({ kind: 'index', span: spanFor(site), object: object(site), index: index(site), optional: isOptional }))),
      fc.tuple(expression, optional(expression), optional(expression), optional(expression)).map(([object, lower, upper, step]) =>
        node((site) => ({ kind: 'slice', span: spanFor(site), object: object(site), ...maybe('lower', lower?.(site)), ...maybe('upper', upper?.(site)), ...maybe('step', step?.(site)) })),
      ),
      fc.tuple(expression, args, fc.boolean()).map(([callee, given, isOptional]) => node((site) => ({ kind: 'call', span: spanFor(site), callee: callee(site), arguments: buildArguments(site, given), optional: isOptional }))),
      fc.tuple(expression, args).map(([callee, given]) => node((site) => ({ kind: 'new', span: spanFor(site), callee: callee(site), arguments: buildArguments(site, given) }))),
      made.map((make) => node((site) => ({ kind: 'closure', span: spanFor(site), function: make(site, '<lambda>') }))),
      fc.tuple(operator, expression).map(([one, operand]) => node((site) => ({ kind: 'unary', span: spanFor(site), operator: one, operand: operand(site) }))),
      fc.tuple(operator, expression, expression).map(([one, left, right]) => node((site) => ({ kind: 'binary', span: spanFor(site), operator: one, left: left(site), right: right(site) }))),
      fc.tuple(fc.constantFrom('and' as const, 'or' as const, 'nullish' as const), expression, expression).map(([one, left, right]) => node((site) => ({ kind: 'logical', span: spanFor(site), operator: one, left: left(site), right: right(site) }))),
      fc.tuple(expression, expression, expression).map(([test, then, otherwise]) => node((site) => ({ kind: 'conditional', span: spanFor(site), test: test(site), then: then(site), otherwise: otherwise(site) }))),
      few(templatePart).map((parts) => node((site) => ({ kind: 'template', span: spanFor(site), parts: parts.map((part) => part(site)) }))),
      fc.tuple(target, expression).map(([into, value]) => node((site) => ({ kind: 'assign-expression', span: spanFor(site), target: into(site), value: value(site) }))),
      fc.tuple(expression, optional(expression), fc.boolean()).map(([awaited, yielded, delegate]) =>
        node((site) => {
          if (site.async) return { kind: 'await', span: spanFor(site), value: awaited(site) };
          if (!site.generator) return awaited(site);
          const value = delegate ? awaited : yielded;
          return { kind: 'yield', span: spanFor(site), ...maybe('value', value?.(site)), delegate };
        }),
      ),
    ),
    target: fc.oneof(
      depthSize,
      fc.tuple(name, pick).map(([one, n]): Plan<Target> => (site) => writtenLocal(site, n, one)),
      name.map((one): Plan<Target> => (site) => {
        site.writes.add(`@${one}`);
        return { kind: 'module-variable', span: spanFor(site), module: MODULE, name: one };
      }),
      text.map((detail): Plan<Target> => (site) => ({ kind: 'unsupported', span: spanFor(site), code: 'unsupported-syntax', detail })),
      fc.tuple(expression, name).map(([object, one]): Plan<Target> => (site) => ({ kind: 'member', span: spanFor(site), object: object(site), name: one, optional: false })),
      fc.tuple(expression, expression).map(([object, index]): Plan<Target> => (site) => ({ kind: 'index', span: spanFor(site), object: object(site), index: index(site), optional: false })),
      fc.tuple(few(target), optional(target)).map(([plain, rest]): Plan<Target> => (site) => ({
        kind: 'unpack',
        span: spanFor(site),
        elements: [...plain.map((one) => ({ target: one(site), starred: false })), ...(rest === undefined ? [] : [{ target: rest(site), starred: true }])],
      })),
    ),
    pattern: fc.oneof(
      depthSize,
      fc.constant<Plan<Pattern>>((site) => ({ kind: 'wildcard', span: spanFor(site) })),
      fc.tuple(name, pick, optional(pattern)).map(([one, n, inner]): Plan<Pattern> => (site) => {
        const into = writtenLocal(site, n, one);
        if (into.kind !== 'local') throw new Error('a local is a local');
        return { kind: 'capture', span: spanFor(site), target: into, ...maybe('pattern', inner?.(site)) };
      }),
      fc.tuple(operator, expression).map(([one, value]): Plan<Pattern> => (site) => ({ kind: 'value', span: spanFor(site), operator: one, value: value(site) })),
      fc.array(pattern, { minLength: 2, maxLength: 3 }).map((all): Plan<Pattern> => (site) => ({ kind: 'or', span: spanFor(site), alternatives: all.map((one) => one(site)) })),
      fc.tuple(optional(pattern), few(pattern)).map(([rest, plain]): Plan<Pattern> => (site) => ({
        kind: 'sequence',
        span: spanFor(site),
        elements: [...(rest === undefined ? [] : [{ pattern: rest(site), starred: true }]), ...plain.map((one) => ({ pattern: one(site), starred: false }))],
      })),
      fc.tuple(few(fc.tuple(expression, pattern)), optional(name)).map(([entries, rest]): Plan<Pattern> => (site) => ({
        kind: 'mapping',
        span: spanFor(site),
        entries: entries.map(([key, inner]) => ({ key: key(site), pattern: inner(site) })),
        ...(rest === undefined ? {} : { rest: { kind: 'local', span: spanFor(site), name: rest, owner: site.function } }),
      })),
      fc.tuple(expression, few(pattern), fc.uniqueArray(fc.tuple(name, pattern), { maxLength: 2, selector: ([one]) => one })).map(([type, positional, keywords]): Plan<Pattern> => (site) => ({
        kind: 'class',
        span: spanFor(site),
        class: type(site),
        positional: positional.map((one) => one(site)),
        keywords: keywords.map(([one, inner]) => ({ name: one, pattern: inner(site) })),
      })),
      text.map((detail): Plan<Pattern> => (site) => ({ kind: 'unsupported', span: spanFor(site), code: 'unsupported-syntax', detail })),
    ),
    statement: fc.oneof(
      depthSize,
      expression.map((value): Plan<Statement> => (site) => ({ kind: 'expression', span: spanFor(site), expression: value(site) })),
      fc.tuple(some(target), expression).map(([targets, value]): Plan<Statement> => (site) => ({ kind: 'assign', span: spanFor(site), targets: targets.map((one) => one(site)), value: value(site) })),
      fc.tuple(target, operator, expression, fc.boolean()).map(([into, one, value, remove]): Plan<Statement> => (site) => {
        const place = into(site);
        if (place.kind === 'unpack') return { kind: 'assign', span: spanFor(site), targets: [place], value: value(site) };
        return remove ? { kind: 'delete', span: spanFor(site), target: place } : { kind: 'augmented-assign', span: spanFor(site), target: place, operator: one, value: value(site) };
      }),
      fc.constantFrom('break' as const, 'continue' as const).map((kind): Plan<Statement> => (site) => (site.loop ? { kind, span: spanFor(site) } : { kind: 'return', span: spanFor(site) })),
      optional(expression).map((value): Plan<Statement> => (site) => ({ kind: 'return', span: spanFor(site), ...maybe('value', value?.(site)) })),
      fc.tuple(expression, optional(expression), fc.boolean()).map(([value, cause, again]): Plan<Statement> => (site) =>
        again && site.handler ? { kind: 'throw', span: spanFor(site) } : { kind: 'throw', span: spanFor(site), value: value(site), ...maybe('cause', cause?.(site)) }),
      fc.tuple(fc.constantFrom('defer' as const, 'spawn' as const), expression).map(([kind, call]): Plan<Statement> => (site) => ({ kind, span: spanFor(site), call: call(site) })),
      fc.tuple(expression, optional(expression)).map(([test, message]): Plan<Statement> => (site) => ({ kind: 'assert', span: spanFor(site), test: test(site), ...maybe('message', message?.(site)) })),
      text.map((detail): Plan<Statement> => (site) => ({ kind: 'unsupported', span: spanFor(site), code: 'dynamic-name', detail })),
      fc.tuple(name, made).map(([one, make]): Plan<Statement> => (site) => ({ kind: 'define-function', span: spanFor(site), target: { kind: 'local', span: spanFor(site), name: one, owner: site.function }, function: make(site, 'inner') })),
      fc.tuple(name, made, expression, optional(expression)).map(([one, make, base, value]): Plan<Statement> => (site) => {
        const id = uniqueId(site, 'Local');
        const field = { name: one, span: spanFor(site), ...maybe('default', value?.(site)), annotation: base(site) };
        site.program.classes.set(id, { id, name: one, module: MODULE, span: spanFor(site), bases: [base(site)], decorators: [base(site)], fields: [field], methods: [{ name: one, function: make(site, 'method') }], unsupported: [] });
        return { kind: 'define-class', span: spanFor(site), target: { kind: 'local', span: spanFor(site), name: one, owner: site.function }, class: id };
      }),
      fc.tuple(expression, block, block).map(([test, then, otherwise]): Plan<Statement> => (site) => ({ kind: 'if', span: spanFor(site), test: test(site), then: then.map((one) => one(site)), otherwise: otherwise.map((one) => one(site)) })),
      fc.tuple(expression, block, block).map(([test, body, otherwise]): Plan<Statement> => (site) => ({ kind: 'while', span: spanFor(site), test: test(site), body: body.map((one) => one({ ...site, loop: true })), otherwise: otherwise.map((one) => one(site)) })),
      fc.tuple(target, expression, block, block, fc.boolean()).map(([into, iterable, body, otherwise, async]): Plan<Statement> => (site) => ({
        kind: 'for-each',
        span: spanFor(site),
        target: into(site),
        iterable: iterable(site),
        body: body.map((one) => one({ ...site, loop: true })),
        otherwise: otherwise.map((one) => one(site)),
        async: async && site.async,
      })),
      fc.tuple(expression, few(fc.tuple(pattern, optional(expression), block))).map(([subject, cases]): Plan<Statement> => (site) => ({
        kind: 'match',
        span: spanFor(site),
        subject: subject(site),
        cases: cases.map(([one, guard, body]) => ({ pattern: one(site), ...maybe('guard', guard?.(site)), body: body.map((each) => each(site)), span: spanFor(site) })),
      })),
      fc.tuple(block, few(fc.tuple(expression, optional(name), block)), optional(fc.tuple(optional(name), block)), block, block).map(([body, typed, last, otherwise, end]): Plan<Statement> => (site) => {
        const inside: Site = { ...site, handler: true };
        const handlers = [...typed.map(([types, one, caught]) => ({ types, one, caught })), ...(last === undefined ? [] : [{ types: undefined, one: last[0], caught: last[1] }])];
        return {
          kind: 'try',
          span: spanFor(site),
          body: body.map((one) => one(site)),
          handlers: handlers.map(({ types, one, caught }) => ({
            span: spanFor(site),
            ...maybe('types', types?.(site)),
            ...(one === undefined ? {} : { name: { kind: 'local', span: spanFor(site), name: one, owner: site.function } as const }),
            body: caught.map((each) => each(inside)),
          })),
          otherwise: handlers.length === 0 ? [] : otherwise.map((one) => one(site)),
          finally: end.map((one) => one(site)),
        };
      }),
      fc.tuple(some(fc.tuple(expression, optional(target))), block, fc.boolean()).map(([items, body, async]): Plan<Statement> => (site) => ({
        kind: 'with',
        span: spanFor(site),
        items: items.map(([context, into]) => ({ context: context(site), ...maybe('target', into?.(site)) })),
        body: body.map((one) => one(site)),
        async: async && site.async,
      })),
    ),
    block: few(statement),
  };
});

const KINDS: Parameter['kind'][] = ['positional-only', 'positional', 'rest', 'keyword-only', 'keyword-rest'];

function buildParameters(site: Site, planned: readonly (readonly [string, Plan<Expression> | undefined, Plan<Expression> | undefined])[]): Parameter[] {
  return planned.slice(0, KINDS.length).map(([one, type, value], index) => {
    const kind = KINDS[index] ?? 'positional';
    const collects = kind === 'rest' || kind === 'keyword-rest';
    return { name: one, span: spanFor(site), kind, ...maybe('default', collects ? undefined : value?.(site)), ...maybe('annotation', type?.(site)) };
  });
}

export const ROOT: FunctionId = `${MODULE}#root`;

/** The place of code in a root function that is neither async nor a generator. */
function rootSite(program: ProgramUnderWay, writes: Set<string>, async: boolean, generator: boolean): Site {
  return { program, around: [ROOT], function: ROOT, writes, loop: false, handler: false, async, generator };
}

/** A whole program around one root function, with bindings, facts and a class. */
export const wellFormedProgram: fc.Arbitrary<Program> = fc
  .tuple(fc.array(plans.statement, { maxLength: 4 }), fc.boolean(), fc.boolean(), name, text)
  .map(([body, async, generator, bound, detail]) => {
    const underWay: ProgramUnderWay = { functions: new Map(), classes: new Map(), count: 0 };
    const writes = new Set<string>();
    const site = rootSite(underWay, writes, async, generator);
    const statements = body.map((one) => one(site));
    const root: IrFunction = {
      id: ROOT,
      name: 'root',
      module: MODULE,
      span: spanFor(site),
      parameters: [],
      async,
      generator,
      defaultsAt: 'definition',
      decorators: [],
      body: statements,
      writesOuter: [...writes].sort(),
    };
    underWay.functions.set(ROOT, root);
    return {
      language: 'python',
      modules: new Map([
        [
          MODULE,
          {
            id: MODULE,
            file: 'src/odd name.py',
            bindings: new Map([
              [bound, { kind: 'function', function: ROOT, span: spanFor(site) }],
              [`${bound}2`, { kind: 'unsupported', code: 'star-import', detail, span: spanFor(site) }],
            ]),
            effects: [{ kind: 'unsupported', span: spanFor(site), code: 'module-state', detail }],
          },
        ],
      ]),
      functions: underWay.functions,
      classes: underWay.classes,
      foreignWrites: [{ identity: 'py:git#Repo.diff', span: spanFor(site), how: 'setattr' }],
      syntaxErrors: [{ file: 'bad file.py', span: spanFor(site), detail }],
    };
  });
