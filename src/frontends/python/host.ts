/** Loads the Python grammar. The only IO of this frontend. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';

let loading: Promise<Parser> | undefined;

/** One parser a process; trees that it makes must be deleted by whoever asked for them. */
export function pythonParser(): Promise<Parser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Parser> {
  await Parser.init();
  const wasm = createRequire(import.meta.url).resolve('tree-sitter-python/tree-sitter-python.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(new Uint8Array(await readFile(wasm))));
  return parser;
}
