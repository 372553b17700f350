/**
 * Every case of this folder, through the compiler. `UPDATE=1` writes the sections `summary` and `verdict` of a case as
 * they come out, for a person to read and commit; never where `CI` is set.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../src/ir/parse.js';
import { EVERY_KIND } from '../unit/ir/every-kind.js';
import { readCase } from './conformance-case.js';
import { runCase, type CaseResult } from './run-case.js';
import { compilerSteps } from './steps.js';
import { formatTxtar, parseTxtar } from './txtar.js';

const FOLDER = new URL('cases/', import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txtar')).sort();
const mayUpdate = process.env['UPDATE'] === '1' && process.env['CI'] === undefined;

describe('conformance', () => {
  it('has cases', () => {
    expect(files.length).toBeGreaterThanOrEqual(30);
  });

  it('has every kind of IR node in some case', () => {
    const inCases = new Set(files.flatMap((file) => [...kindsIn(parseProgram(readCase(readFileSync(new URL(file, FOLDER), 'utf8'), file).ir.text, { file }))]));
    const all = kindsIn(parseProgram(EVERY_KIND, { file: 'every-kind' }));
    expect([...all].filter((kind) => !inCases.has(kind))).toEqual([]);
  });

  it.each(files)('%s', (file) => {
    const url = new URL(file, FOLDER);
    const text = readFileSync(url, 'utf8');
    const result = runCase(readCase(text, file), compilerSteps);
    if (mayUpdate) {
      const updated = withResults(text, file, result);
      if (updated !== text) {
        writeFileSync(url, updated);
        return;
      }
    }
    for (const finding of result.findings) expect.soft(finding.actual ?? '', `${finding.step}: ${finding.message}`).toBe(finding.expected ?? finding.message);
    expect(result.findings).toEqual([]);
  });
});

/** The tags of everything in a program, however deep. */
function kindsIn(value: unknown): ReadonlySet<string> {
  const kinds = new Set<string>();
  const visit = (part: unknown): void => {
    if (part instanceof Map) for (const member of part.values()) visit(member);
    else if (Array.isArray(part)) for (const member of part) visit(member);
    else if (typeof part === 'object' && part !== null) {
      if ('kind' in part && typeof part.kind === 'string') kinds.add(part.kind);
      for (const member of Object.values(part)) visit(member);
    }
  };
  visit(value);
  return kinds;
}

/** The case with what came out in place of what it expects. */
function withResults(text: string, file: string, result: CaseResult): string {
  const archive = parseTxtar(text, file);
  const sections = archive.sections.map((section) => {
    if (section.name === 'summary' && result.summary !== undefined) return { ...section, text: result.summary };
    if (section.name === 'verdict' && result.verdicts !== undefined) return { ...section, text: result.verdicts.map((line) => `${line}\n`).join('') };
    return section;
  });
  return formatTxtar({ ...archive, sections });
}
