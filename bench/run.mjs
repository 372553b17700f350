/**
 * `npm run bench`: compiles the benchmarks with the source they measure into a cache folder and runs them there, as plain
 * JavaScript like what is shipped. Words after `npm run bench --` select benchmarks by name.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Below node_modules, so that dependencies are found from there.
const out = join(root, 'node_modules/.cache/fcd-bench');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'bench/tsconfig.json'), '--outDir', out], { stdio: 'inherit' });
cpSync(join(root, 'package.json'), join(out, 'package.json'));
symlinkSync(join(root, 'profiles'), join(out, 'profiles'), 'junction');
const { runBenchmarks } = await import(pathToFileURL(join(out, 'bench/main.js')).href);
await runBenchmarks(root, process.argv.slice(2));
