/** Lowers small Python sources and shows parts of the result as text. */
import { lowerPython } from '../../../../src/frontends/python/lower.js';
import { printExpression, printFunction, printProgram, printStatements } from '../../../../src/ir/print.js';
import type { Binding, Program } from '../../../../src/ir/program.js';

export async function lower(files: Readonly<Record<string, string>> | string): Promise<Program> {
  const all = typeof files === 'string' ? { 'm.py': files } : files;
  return lowerPython({ files: Object.entries(all).map(([path, text]) => ({ path, text })), roots: [''] });
}

/** The body of the function `f` of a module, printed without spans; `head` is what stands before it. */
export async function body(lines: string, head = 'def f(a, b, c, *args, **kw):'): Promise<string> {
  const program = await lower(`${head}\n${indented(lines)}\n`);
  const fn = program.functions.get('m#f');
  if (fn === undefined) throw new Error('the module has no f');
  return plain(printStatements(fn.body, { owner: 'm#f', spans: false }));
}

/** The expression of `return …` in a function with some parameters. */
export async function expression(text: string, head?: string): Promise<string> {
  return (await body(`return ${text}`, head)).replace(/^return /, '');
}

export async function fn(source: string, id = 'm#f'): Promise<string> {
  const found = (await lower(source)).functions.get(id);
  if (found === undefined) throw new Error(`the module has no ${id}`);
  return plain(printFunction(found, { spans: false }));
}

export async function printed(source: string): Promise<string> {
  return plain(printProgram(await lower(source), { spans: false }));
}

export async function binding(files: Readonly<Record<string, string>> | string, name: string, module = 'm'): Promise<string> {
  return shown((await lower(files)).modules.get(module)?.bindings.get(name));
}

export function shown(found: Binding | undefined): string {
  switch (found?.kind) {
    case undefined:
      return 'nothing';
    case 'function':
      return `function ${found.function}`;
    case 'class':
      return `class ${found.class}`;
    case 'external':
      return found.identity;
    case 'module':
      return `module ${found.module}`;
    case 'alias':
      return `alias ${found.module}::${found.name}`;
    case 'value':
      return `value ${plain(printExpression(found.value, { spans: false }))}`;
    case 'unsupported':
      return `${found.code}:${String(found.span.line)}`;
  }
}

export async function writes(files: Readonly<Record<string, string>> | string): Promise<readonly string[]> {
  const program = await lower(files);
  return program.foreignWrites.map((write) => `${write.how} ${write.identity} ${String(write.span.line)}`).sort();
}

function indented(lines: string): string {
  return lines.split('\n').map((line) => `    ${line}`).join('\n');
}

/** One line, one space. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
