/**
 * Reads programs and their parts from the printed form: the inverse of `print.ts`. Text without span annotations gets
 * spans that point into the text itself, so that programs can be written by hand. Errors are `IrSyntaxError`s with line,
 * column and what was expected. It checks form only; `verify.ts` checks that the program makes sense.
 */
import type { ClassId, Expression, FunctionId, ModuleId, Statement } from './nodes.js';
import { readExpression, readList, readOperand, readReason } from './parse-expression.js';
import { readBlock, readLines, readLinesUntil, readStatement } from './parse-statement.js';
import type { Binding, ClassField, ForeignWrite, IrClass, IrFunction, Module, Parameter, Program } from './program.js';
import { IrSyntaxError, Scanner } from './scan.js';
import { moduleFromId, nameFromId } from './text-form.js';

export { IrSyntaxError };

export interface ParseIrOptions {
  /** How errors and synthetic spans name the text. */
  readonly file: string;
}
export interface ParsePartOptions extends ParseIrOptions {
  /** The activation that owns locals written without owner. */
  readonly owner?: FunctionId;
}

const PARAMETER_KINDS: Record<Parameter['kind'], true> = { 'positional-only': true, 'positional': true, 'keyword-only': true, 'rest': true, 'keyword-rest': true };
const WRITE_KINDS: Record<ForeignWrite['how'], true> = { attribute: true, setattr: true, global: true, item: true, environment: true, delete: true };
/** A kind that is followed by the parameter's name, and is not itself that name. */
const KIND_BEFORE_NAME = /[a-z-]+[ \t\r\n]+[\p{ID_Start}_$"]/uy;

export function parseExpression(text: string, options: ParsePartOptions): Expression {
  const scan = scannerFor(text, options);
  const expression = readExpression(scan);
  if (!scan.atEnd) throw scan.error('the end of the text');
  return expression;
}

export function parseStatements(text: string, options: ParsePartOptions): Statement[] {
  const scan = scannerFor(text, options);
  return readLinesUntil(scan, () => scan.atEnd, () => readStatement(scan), 'a statement');
}

export function parseFunction(text: string, options: ParseIrOptions): IrFunction {
  const scan = scannerFor(text, options);
  const fn = readFunction(scan);
  if (!scan.atEnd) throw scan.error('the end of the text');
  return fn;
}

function scannerFor(text: string, options: ParsePartOptions): Scanner {
  const scan = new Scanner(text, options.file);
  scan.owner = options.owner;
  return scan;
}

export function parseProgram(text: string, options: ParseIrOptions): Program {
  const scan = scannerFor(text, options);
  scan.expectWord('program');
  const language = scan.path('the name of a language');
  const modules = new Map<ModuleId, Module>();
  const functions = new Map<FunctionId, IrFunction>();
  const classes = new Map<ClassId, IrClass>();
  const foreignWrites: ForeignWrite[] = [];
  const syntaxErrors: Program['syntaxErrors'][number][] = [];
  const readItem = (): void => {
    const start = scan.position;
    switch (scan.word()) {
      case 'module':
        return addOnce(scan, start, modules, readModule(scan));
      case 'function':
        return addOnce(scan, start, functions, readFunction(scan));
      case 'class':
        return addOnce(scan, start, classes, readClass(scan));
      case 'foreign-write':
        foreignWrites.push(readForeignWrite(scan));
        return;
      case 'syntax-error': {
        scan.expectWord('syntax-error');
        const file = scan.path('a file');
        const detail = scan.string('what is wrong');
        syntaxErrors.push({ file, span: scan.spanFrom(start), detail });
        return;
      }
      default:
        throw scan.error('"module", "function", "class", "foreign-write" or "syntax-error"');
    }
  };
  readLinesUntil(scan, () => scan.atEnd, readItem, 'a definition');
  return { language, modules, functions, classes, foreignWrites, syntaxErrors };
}

function addOnce<Item extends { readonly id: string }>(scan: Scanner, start: number, items: Map<string, Item>, item: Item): void {
  if (items.has(item.id)) throw scan.refuse(`the id ${item.id} is defined twice`, start);
  items.set(item.id, item);
}

function readForeignWrite(scan: Scanner): ForeignWrite {
  const start = scan.position;
  scan.expectWord('foreign-write');
  const how = scan.word();
  if (!isWriteKind(how)) throw scan.error(`one of ${Object.keys(WRITE_KINDS).join(', ')}`);
  scan.takeWord(how);
  const identity = scan.identity();
  return { identity, span: scan.spanFrom(start), how };
}

function isWriteKind(text: string): text is ForeignWrite['how'] {
  return Object.hasOwn(WRITE_KINDS, text);
}

function readModule(scan: Scanner): Module {
  scan.expectWord('module');
  const id = scan.path('the id of a module');
  expectAttribute(scan, 'file');
  const file = scan.path('a file');
  const bindings = new Map<string, Binding>();
  let effects: readonly Statement[] = [];
  readLines(scan, () => {
    const start = scan.position;
    if (scan.takeWord('effects')) {
      if (effects.length > 0) throw scan.refuse('a module has one block of effects', start);
      effects = readBlock(scan);
      return;
    }
    if (!scan.takeWord('binding')) throw scan.error('"binding" or "effects"');
    const name = scan.name('a name');
    scan.expect('=');
    if (bindings.has(name)) throw scan.refuse(`the name ${name} is bound twice`, start);
    bindings.set(name, readBinding(scan, start));
  });
  return { id, file, bindings, effects };
}

function readBinding(scan: Scanner, start: number): Binding {
  const kind = scan.word();
  scan.takeWord(kind);
  switch (kind) {
    case 'function': {
      const id = scan.path('the id of a function');
      return { kind, function: id, span: scan.spanFrom(start) };
    }
    case 'class': {
      const id = scan.path('the id of a class');
      return { kind, class: id, span: scan.spanFrom(start) };
    }
    case 'external': {
      const identity = scan.identity();
      return { kind, identity, span: scan.spanFrom(start) };
    }
    case 'module': {
      const module = scan.path('the id of a module');
      return { kind, module, span: scan.spanFrom(start) };
    }
    case 'alias': {
      scan.expect('@');
      const { owner: module, name } = scan.qualifiedName('a module and a name');
      if (module === undefined) throw scan.refuse('an alias names a module and a name: alias @module::name', start);
      return { kind, module, name, span: scan.spanFrom(start) };
    }
    case 'value': {
      const value = readExpression(scan);
      return { kind, value, span: scan.spanFrom(start) };
    }
    case 'unsupported': {
      const { code, detail } = readReason(scan);
      return { kind, code, detail, span: scan.spanFrom(start) };
    }
    default:
      throw scan.error('function, class, external, module, alias, value or unsupported');
  }
}

function expectAttribute(scan: Scanner, name: string): void {
  scan.expectWord(name);
  scan.expect('=');
}

/** The attributes of a head in any order, each at most once, until `{` or the span. */
function readAttributes(scan: Scanner, readers: ReadonlyMap<string, () => void>): void {
  const seen = new Set<string>();
  for (;;) {
    const start = scan.position;
    const name = scan.word();
    const read = readers.get(name);
    if (read === undefined) {
      if (name === '') return;
      throw scan.error(`one of ${[...readers.keys()].join(', ')}, or "{"`);
    }
    if (seen.has(name)) throw scan.refuse(`${name} is given twice`, start);
    seen.add(name);
    scan.takeWord(name);
    read();
  }
}

function readFunction(scan: Scanner): IrFunction {
  const start = scan.position;
  scan.expectWord('function');
  const id = scan.path('the id of a function');
  return scan.within(id, () => {
    const parameters = readList(scan, '(', ')', () => readParameter(scan));
    const head: { -readonly [Key in keyof IrFunction]?: IrFunction[Key] } = {};
    const attribute = (read: () => void) => (): void => {
      scan.expect('=');
      read();
    };
    readAttributes(
      scan,
      new Map<string, () => void>([
        ['async', () => void (head.async = true)],
        ['generator', () => void (head.generator = true)],
        ['module', attribute(() => void (head.module = scan.path('the id of a module')))],
        ['name', attribute(() => void (head.name = scan.name('a name')))],
        ['parent', attribute(() => void (head.parent = scan.path('the id of a function')))],
        ['defaults', attribute(() => void (head.defaultsAt = readDefaultsAt(scan)))],
        ['writes', attribute(() => void (head.writesOuter = readList(scan, '[', ']', () => readWrite(scan))))],
        ['decorators', attribute(() => void (head.decorators = readList(scan, '[', ']', () => readExpression(scan))))],
        ['returns', attribute(() => void (head.returns = readOperand(scan)))],
      ]),
    );
    const span = scan.spanFrom(start);
    return {
      id,
      name: nameFromId(id),
      module: moduleFromId(id),
      span,
      parameters,
      async: false,
      generator: false,
      defaultsAt: 'definition',
      decorators: [],
      writesOuter: [],
      ...head,
      body: readBlock(scan),
    };
  });
}

function readDefaultsAt(scan: Scanner): IrFunction['defaultsAt'] {
  if (scan.takeWord('call')) return 'call';
  scan.expectWord('definition');
  return 'definition';
}

function readWrite(scan: Scanner): string {
  return scan.take('@') ? `@${scan.name('a name')}` : scan.name('a name');
}

function readParameter(scan: Scanner): Parameter {
  const start = scan.position;
  const word = scan.word();
  const kind = isParameterKind(word) && scan.looksAt(KIND_BEFORE_NAME) ? word : 'positional';
  if (scan.looksAt(KIND_BEFORE_NAME)) {
    if (!isParameterKind(word)) throw scan.error(`one of ${Object.keys(PARAMETER_KINDS).join(', ')}`);
    scan.takeWord(word);
  }
  const name = scan.name('the name of a parameter');
  const annotation = scan.take(':') ? readOperand(scan) : undefined;
  const value = scan.take('=') ? readExpression(scan) : undefined;
  return { name, span: scan.spanFrom(start), kind, ...(value === undefined ? {} : { default: value }), ...(annotation === undefined ? {} : { annotation }) };
}

function isParameterKind(text: string): text is Parameter['kind'] {
  return Object.hasOwn(PARAMETER_KINDS, text);
}

function readClass(scan: Scanner): IrClass {
  const start = scan.position;
  scan.expectWord('class');
  const id = scan.path('the id of a class');
  const bases = readList(scan, '(', ')', () => readExpression(scan));
  let module = moduleFromId(id);
  let name = nameFromId(id);
  let decorators: readonly Expression[] = [];
  const attribute = (read: () => void) => (): void => {
    scan.expect('=');
    read();
  };
  readAttributes(
    scan,
    new Map([
      ['module', attribute(() => void (module = scan.path('the id of a module')))],
      ['name', attribute(() => void (name = scan.name('a name')))],
      ['decorators', attribute(() => void (decorators = readList(scan, '[', ']', () => readExpression(scan))))],
    ]),
  );
  const span = scan.spanFrom(start);
  return { id, name, module, span, bases, decorators, ...readClassBody(scan) };
}

function readClassBody(scan: Scanner): Pick<IrClass, 'fields' | 'methods' | 'unsupported'> {
  const fields: ClassField[] = [];
  const methods: IrClass['methods'][number][] = [];
  const unsupported: Statement[] = [];
  readLines(scan, () => {
    const start = scan.position;
    if (scan.takeWord('field')) {
      fields.push(readField(scan, start));
    } else if (scan.takeWord('method')) {
      const name = scan.name('the name of a method');
      scan.expect('=');
      methods.push({ name, function: scan.path('the id of a function') });
    } else if (scan.takeWord('unsupported')) {
      unsupported.push(...readBlock(scan));
    } else {
      throw scan.error('"field", "method" or "unsupported"');
    }
  });
  return { fields, methods, unsupported };
}

function readField(scan: Scanner, start: number): ClassField {
  const name = scan.name('the name of a field');
  const annotation = scan.take(':') ? readOperand(scan) : undefined;
  const value = scan.take('=') ? readExpression(scan) : undefined;
  return { name, span: scan.spanFrom(start), ...(annotation === undefined ? {} : { annotation }), ...(value === undefined ? {} : { default: value }) };
}
