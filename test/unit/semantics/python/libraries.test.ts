/**
 * Schema checks, models and binding by signature against the real libraries. The reference interpreter with `jsonschema`,
 * `pydantic` and `mcp` is named by FCD_TEST_PYTHON; without it the tables below, written from its answers, are checked.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { literalTerm, parseLiteral } from '../../../../src/analysis/literal.js';
import { makeClosure } from '../../../../src/analysis/closures.js';
import { beginCall, NOWHERE } from '../../../../src/analysis/setup.js';
import { pythonSemantics } from '../../../../src/semantics/python/index.js';
import { argumentsOf, fromJson, newMachine, runFunction, toPlain } from './run-python.js';

const SCHEMAS = [
  '{"type": "object", "properties": {"a": {"type": "string", "minLength": 2}, "b": {"type": "integer", "minimum": 1, "exclusiveMaximum": 5}}, "required": ["a"]}',
  '{"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}}, "additionalProperties": false}',
  '{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2}}}',
  '{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer", "maximum": 3}}}}',
  '{"type": "object", "properties": {"a": {"enum": ["x", 1, null, true]}, "b": {"const": 1}}}',
  '{"type": "object", "properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]}}, "x-other": 1}',
  '{"type": "object", "properties": {"a": {"not": {"type": ["string", "boolean"]}}, "b": {"type": "string", "pattern": "^[a-z]+$"}}}',
  '{"type": "object", "additionalProperties": {"type": "boolean"}}',
  '{"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "boolean"}}, "allOf": [{"required": ["a"]}, true]}',
];
const VALUES = [
  'null',
  'true',
  'false',
  '0',
  '1',
  '2',
  '3',
  '5',
  '1.0',
  '1.5',
  '2.5',
  '""',
  '"x"',
  '"ab"',
  '"AB"',
  '"ab\\n"',
  '[]',
  '["x"]',
  '["x", "y", "z"]',
  '[1]',
  '[4]',
  '[1.0, 2]',
  '[true]',
  '[null]',
  '{}',
  '{"q": 1}',
];
const INSTANCES = [...VALUES.flatMap((value) => [`{"a": ${value}}`, `{"b": ${value}}`, `{"a": "xy", "b": ${value}}`]), '{}', '{"c": true}'];

const TYPES = [
  'str',
  'int',
  'float',
  'bool',
  'Optional[str]',
  'int | None',
  'list[str]',
  'list[int]',
  'list[float] | None',
  'dict',
  'dict[str, Any]',
  'Any',
  'str | int',
  'int | str | bool',
  'float | bool',
  'Literal["x", "ab"]',
  'Kind',
  'Annotated[int, Field(ge=1, lt=5)]',
  'Annotated[str, Field(min_length=2, description="d")]',
  'Annotated[list[str], Field(max_length=1)]',
  'Inner',
  'list',
  'list[str] | str',
];
const MODEL_VALUES = [
  ...VALUES,
  '"1"',
  '" 2 "',
  '"1.0"',
  '"1e3"',
  '"true"',
  '"Yes"',
  '"off"',
  '"[1]"',
  '"[\\"x\\"]"',
  '"null"',
  '"{}"',
  '"{\\"q\\": \\"w\\"}"',
  '{"q": "w"}',
  '["1"]',
  '[1.5]',
  '"-0"',
  '"0_1"',
  '"1_0"',
  '"+5"',
  '"5."',
  '".5"',
];
const TEMPLATE = (body: string): string => `
from enum import Enum
from typing import Annotated, Any, Literal, Optional
from pydantic import BaseModel, Field
class Kind(str, Enum):
    X = "x"
    AB = "ab"
class Inner(BaseModel):
    q: str
    r: int = 3
${body}
`;
const MODELS = TYPES.map((type) =>
  TEMPLATE(
    `class M(BaseModel):\n    a: ${type}\n    b: ${type === 'Kind' ? 'str' : 'Any'} = "dflt"\ndef f(arguments):\n    return M(**arguments).a\ndef schema():\n    return M.model_json_schema()\ndef handler(a: ${type}, b: int = 7):\n    return [a, b]\n`,
  ),
);

const python = process.env['FCD_TEST_PYTHON'];
const hasLibraries = python !== undefined && spawnSync(python, ['-c', 'import jsonschema, pydantic, mcp']).status === 0;

const DRIVER = `
import sys, json
job = json.load(sys.stdin)
def plain(v):
    from enum import Enum
    if isinstance(v, Enum): return {"member": v.name}
    if v is None or type(v) in (bool, str): return v
    if type(v) is int: return {"int": str(v)}
    if type(v) is float: return {"float": repr(v)}
    if type(v) is list: return {"list": [plain(x) for x in v]}
    if type(v) is dict: return {"dict": [[k, plain(x)] for k, x in v.items()]}
    if hasattr(v, "model_dump"): return {"model": plain(v.model_dump())}
    return {"other": type(v).__name__}
out = []
if job["what"] == "schema":
    import jsonschema
    for s, v in job["cases"]:
        try:
            jsonschema.validate(json.loads(v), json.loads(s)); out.append(True)
        except jsonschema.ValidationError: out.append(False)
elif job["what"] == "model":
    from pydantic import ValidationError
    spaces = []
    for p in job["programs"]:
        sp = {}; exec(p, sp); spaces.append(sp)
    for i, v in job["cases"]:
        try: out.append({"value": plain(spaces[i]["f"](json.loads(v)))})
        except ValidationError: out.append("rejected")
elif job["what"] == "model-schema":
    for p in job["programs"]:
        sp = {}; exec(p, sp); out.append(sp["schema"]())
else:
    import asyncio
    try:
        from mcp.server.fastmcp.utilities.func_metadata import func_metadata
    except ImportError:
        from mcp.server.mcpserver.utilities.func_metadata import func_metadata
    from pydantic import ValidationError
    metas = []
    for p in job["programs"]:
        sp = {}; exec(p, sp); metas.append(func_metadata(sp["handler"], structured_output=False))
    for i, v in job["cases"]:
        m = metas[i]
        try:
            bound = m.arg_model.model_validate(m.pre_parse_json(json.loads(v))).model_dump_one_level()
            out.append({"value": plain([bound["a"], bound["b"]])})
        except ValidationError: out.append("rejected")
json.dump(out, sys.stdout)
`;

function ask(job: unknown): unknown[] {
  const run = spawnSync(python ?? 'python3', ['-c', DRIVER], { input: JSON.stringify(job), encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as unknown[];
}

describe('schemas', () => {
  async function accepts(schema: string, value: string): Promise<boolean | 'open' | 'stopped'> {
    const machine = await newMachine('');
    const guard = pythonSemantics.schemaAccepts(
      machine,
      literalTerm(machine.store, parseLiteral(schema)),
      literalTerm(machine.store, parseLiteral(value)),
      NOWHERE,
    );
    return machine.outcomes.length > 0 ? 'stopped' : guard === 1 ? true : guard === 0 ? false : 'open';
  }

  it.skipIf(!hasLibraries)('decide as jsonschema does', async () => {
    const cases = SCHEMAS.flatMap((schema) => INSTANCES.map((value): [string, string] => [schema, value]));
    const expected = ask({ what: 'schema', cases });
    for (const [at, [schema, value]] of cases.entries())
      expect({ schema, value, accepted: await accepts(schema, value) }).toEqual({ schema, value, accepted: expected[at] });
  });

  it('know the integer among floats and the boolean that is none', async () => {
    expect(await accepts('{"type": "integer"}', '1.0')).toBe(true);
    expect(await accepts('{"type": "integer"}', 'true')).toBe(false);
    expect(await accepts('{"enum": [1]}', 'true')).toBe(false);
    expect(await accepts('{"enum": [1]}', '1.0')).toBe(true);
    expect(await accepts('{"type": "object", "patternProperties": {}}', '{}')).toBe('stopped');
    expect(await accepts('{"$schema": "http://json-schema.org/draft-04/schema#"}', '{}')).toBe('stopped');
  });

  it('speak of the arguments of the call', async () => {
    const machine = await newMachine('');
    const { store } = machine;
    const schema = literalTerm(store, parseLiteral('{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}'));
    const guard = pythonSemantics.schemaAccepts(machine, schema, store.intern({ kind: 'argument', path: [] }), NOWHERE);
    const a = store.intern({ kind: 'argument', path: ['a'] });
    expect(guard).toBe(store.guards.and(machine.has(['a']), machine.hasType(a, 'string')));
  });
});

/** `float` texts and models compare through their own forms. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'float' ? Number(inner) : comparable(inner)]));
}

describe('models', () => {
  async function construct(program: string, value: string): Promise<unknown> {
    const machine = await newMachine(program);
    const ran = runFunction(machine, 'f', (m) => [fromJson(m, value)]);
    if (ran.stops.length > 0) return `stopped: ${ran.stops[0]!.message}`;
    if (ran.throwsWhen === 1) return 'rejected';
    if (ran.returnsWhen !== 1) return 'open';
    return { value: shape(ran.store, ran.returned!) };
  }
  function shape(store: Parameters<typeof toPlain>[0], id: number): unknown {
    const term = store.term(id);
    if (term.kind === 'apply' && term.fn === 'py.enum') return { member: toPlain(store, term.args[1]!) };
    if (term.kind === 'apply' && term.fn === 'instance') return { model: toPlain(store, term.args[1]!) };
    if (term.kind === 'list') return { list: term.segments.flatMap((s) => (s.kind === 'items' ? s.items.map((item) => shape(store, item)) : [undefined])) };
    return toPlain(store, id);
  }

  it.skipIf(!hasLibraries)('validate and coerce as pydantic does', async () => {
    const cases = MODELS.flatMap((_, at) => MODEL_VALUES.map((value): [number, string] => [at, `{"a": ${value}}`]));
    const expected = ask({ what: 'model', programs: MODELS, cases });
    let undecided = 0;
    for (const [at, [program, value]] of cases.entries()) {
      const label = `${TYPES[program]!} of ${value}`;
      const result = await construct(MODELS[program]!, value);
      if (result === 'open' || (typeof result === 'string' && result.startsWith('stopped'))) undecided += 1;
      else expect({ label, result: comparable(result) }).toEqual({ label, result: comparable(expected[at]) });
    }
    expect(undecided / cases.length).toBeLessThan(0.03);
  });

  it.skipIf(!hasLibraries)('have the schema that pydantic writes', async () => {
    const expected = ask({ what: 'model-schema', programs: MODELS });
    for (const [at, program] of MODELS.entries()) {
      const ran = runFunction(await newMachine(program), 'schema', () => []);
      expect(ran.stops, TYPES[at]).toEqual([]);
      expect({ type: TYPES[at], schema: json(ran.store, ran.returned!) }).toEqual({ type: TYPES[at], schema: expected[at] });
    }
  });
  function json(store: Parameters<typeof toPlain>[0], id: number): unknown {
    const term = store.term(id);
    if (term.kind === 'record') return Object.fromEntries(term.fields.map((field) => [toPlain(store, field.key), json(store, field.value)]));
    if (term.kind === 'list') return term.segments.flatMap((s) => (s.kind === 'items' ? s.items.map((item) => json(store, item)) : []));
    const plain = toPlain(store, id);
    if (typeof plain === 'object' && plain !== null && 'int' in plain) return Number(plain.int);
    if (typeof plain === 'object' && plain !== null && 'float' in plain) return Number(plain.float);
    return plain;
  }

  it('reject, coerce and default', async () => {
    const model = (type: string): string => MODELS[TYPES.indexOf(type)]!;
    expect(await construct(model('int'), '{"a": "12"}')).toEqual({ value: { int: '12' } });
    expect(await construct(model('int'), '{"a": true}')).toEqual({ value: { int: '1' } });
    expect(await construct(model('str'), '{"a": 1}')).toBe('rejected');
    expect(await construct(model('str'), '{}')).toBe('rejected');
    expect(await construct(model('Kind'), '{"a": "ab"}')).toEqual({ value: { member: 'AB' } });
    expect(await construct(model('list[int]'), '{"a": ["1", 2.0]}')).toEqual({ value: { list: [{ int: '1' }, { int: '2' }] } });
  });

  it('stop where a class runs code of its own', async () => {
    const program = TEMPLATE(
      'from pydantic import field_validator\nclass M(BaseModel):\n    a: str\n    @field_validator("a")\n    def check(cls, v):\n        return v\ndef f(arguments):\n    return M(**arguments).a\n',
    );
    expect(await construct(program, '{"a": "x"}')).toMatch(/^stopped: .*validator/);
  });

  it('bind the open arguments of a call', async () => {
    const ran = runFunction(await newMachine(MODELS[0]!), 'f', (m) => [argumentsOf(m)]);
    const { store, machine } = ran;
    const a = store.intern({ kind: 'argument', path: ['a'] });
    expect(ran.stops).toEqual([]);
    expect(ran.returned).toBe(a);
    expect(ran.returnsWhen).toBe(store.guards.and(machine.has(['a']), machine.hasType(a, 'string')));
  });
});

describe('binding by signature', () => {
  async function bind(program: string, value: string): Promise<unknown> {
    const machine = await newMachine(program);
    beginCall(machine);
    const handler = makeClosure(machine, 'm#handler', NOWHERE);
    const bound = pythonSemantics.bindSignature(machine, handler, literalTerm(machine.store, parseLiteral(value)), NOWHERE);
    if (bound === undefined) return 'stopped';
    if (bound.accepted !== 1) return bound.accepted === 0 ? 'rejected' : 'open';
    return { value: { list: ['a', 'b'].map((name) => bindingShape(machine.store, machine.freeze(bound.values.get(name)!))) } };
  }
  function bindingShape(store: Parameters<typeof toPlain>[0], id: number): unknown {
    const term = store.term(id);
    if (term.kind === 'apply' && term.fn === 'py.enum') return { member: toPlain(store, term.args[1]!) };
    if (term.kind === 'apply' && term.fn === 'instance') return { model: toPlain(store, term.args[1]!) };
    return toPlain(store, id);
  }

  it.skipIf(!hasLibraries)('is that of the MCP SDK', async () => {
    const cases = MODELS.flatMap((_, at) =>
      MODEL_VALUES.flatMap((value): [number, string][] => [
        [at, `{"a": ${value}}`],
        [at, `{"a": "x", "b": ${value}}`],
      ]),
    ).concat([[0, '{}']]);
    const expected = ask({ what: 'signature', programs: MODELS, cases });
    let undecided = 0;
    for (const [at, [program, value]] of cases.entries()) {
      const label = `${TYPES[program]!} of ${value}`;
      const result = await bind(MODELS[program]!, value);
      if (result === 'open' || result === 'stopped') undecided += 1;
      else expect({ label, result: comparable(result) }).toEqual({ label, result: comparable(expected[at]) });
    }
    expect(undecided / cases.length).toBeLessThan(0.03);
  });

  it('parses text for every annotation but exactly str', async () => {
    const of = (type: string): string => MODELS[TYPES.indexOf(type)]!;
    expect(await bind(of('list[str]'), '{"a": "[\\"x\\"]"}')).toEqual({ value: { list: [{ list: ['x'] }, { int: '7' }] } });
    expect(await bind(of('Optional[str]'), '{"a": "null"}')).toEqual({ value: { list: [null, { int: '7' }] } });
    expect(await bind(of('str'), '{"a": "null", "z": 1}')).toEqual({ value: { list: ['null', { int: '7' }] } });
    expect(await bind(of('str'), '{}')).toBe('rejected');
  });
});
