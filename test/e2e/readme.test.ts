/**
 * The examples of README.md, run: in each ```console block the lines after `$ ` are executed in order in one shell, and what
 * they print has to be what stands below them. `UPDATE_README=1` writes what they print.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FCD, ROOT } from './fixture.js';

const README = join(ROOT, 'README.md');
const BLOCK = /^```console\n([\s\S]*?)^```$/gm;
const MARK = '@@next-command@@';

function commandsOf(block: string): readonly string[] {
  return block.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
}

/** The block as a terminal shows it. `echo $?` tells the code of the command before it. */
function transcript(commands: readonly string[]): Promise<string> {
  const body = commands.map((command) => `printf '%s\\n' '${MARK}'; (exit $code); ${command}; code=$?`).join('\n');
  const script = `set -o pipefail; code=0; fcd() { "$FCD_NODE" "$FCD_BIN" "$@"; }\n${body}\n`;
  const env = { ...process.env, NO_COLOR: '1', COLUMNS: '100', FCD_NODE: process.execPath, FCD_BIN: FCD };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script], { cwd: ROOT, env, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') return reject(new Error('bash does not run', { cause: error }));
      if (stderr !== '') return reject(new Error(stderr));
      const outputs = stdout.split(`${MARK}\n`).slice(1);
      resolve(outputs.map((output, index) => `$ ${commands[index] ?? ''}\n${output}`).join(''));
    });
  });
}

describe('README.md', () => {
  const text = readFileSync(README, 'utf8');
  const blocks = [...text.matchAll(BLOCK)].map((match) => match[1] ?? '');

  it('has examples, each of which tells its exit code or its verdict', () => {
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.flatMap(commandsOf).length).toBeGreaterThan(4);
  });

  if (process.env['UPDATE_README'] === '1') {
    it('is written anew', async () => {
      let updated = text;
      for (const block of blocks) {
        const ran = await transcript(commandsOf(block));
        updated = updated.replace(`\`\`\`console\n${block}\`\`\``, () => `\`\`\`console\n${ran}\`\`\``);
      }
      writeFileSync(README, updated);
    });
  } else {
    it.each(blocks.map((block) => [commandsOf(block)[0]?.slice(0, 60), block]))('shows what is printed: %s', async (_name, block) => {
      expect(await transcript(commandsOf(block))).toBe(block);
    });
  }
});
