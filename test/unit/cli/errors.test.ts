import { describe, expect, it } from 'vitest';
import { FcdError, InvariantError } from '../../../src/base/errors.js';
import { exitCodeOf, reportError, UsageError } from '../../../src/cli/errors.js';
import type { Io } from '../../../src/cli/io.js';
import { findingAt, ProfileError } from '../../../src/profile/finding.js';
import { ReleaseError } from '../../../src/release/errors.js';

async function said(error: unknown, json = false): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const text = { out: '', err: '' };
  const io: Io = {
    out: async (more) => void (text.out += more),
    err: (more) => void (text.err += more),
    style: { color: false, width: 80 },
    env: {},
    workingDirectory: '.',
    progress: () => {},
    input: (async function* () {})(),
  };
  return { code: await reportError(error, io, json), ...text };
}

describe('errors at the edge', () => {
  it.each<[number, unknown]>([
    [64, new UsageError('m', 'n')],
    [64, new ReleaseError('path-missing', 'm')],
    [64, new ReleaseError('version-missing', 'm')],
    [64, new ProfileError(findingAt({ file: 'a.yaml' }, 'yaml-syntax', 'm', 'f'))],
    [2, new ReleaseError('registry-unreachable', 'm')],
    [2, new ReleaseError('not-cached', 'm')],
    [2, new FcdError('anything-else', 'm')],
    [70, new InvariantError('m')],
    [70, new TypeError('m')],
    [70, 'text'],
  ])('are exit code %i: %s', (code, error) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  it('say place, message and next step, without a stack', async () => {
    const { err, code } = await said(new FcdError('x', 'it is broken', { place: { file: 'a.yaml', line: 3, column: 5 }, next: 'Mend it.' }));
    expect(err).toBe('fcd: a.yaml:3:5: it is broken\n  Mend it.\n');
    expect(code).toBe(2);
  });

  it('say every finding of a profile', async () => {
    const finding = (line: number): ReturnType<typeof findingAt> => findingAt({ file: 'a.yaml', line, column: 1 }, 'yaml-syntax', `m${line}`, `f${line}`);
    const { err } = await said(new ProfileError(finding(1), [finding(2)]));
    expect(err).toBe('fcd: 2 problems\n  a.yaml:1:1: m1\n    f1\n  a.yaml:2:1: m2\n    f2\n');
  });

  it('are a document where JSON was asked for', async () => {
    const { out } = await said(new FcdError('x', 'm', { place: { file: 'a', line: 1 }, next: 'n' }), true);
    expect(JSON.parse(out)).toEqual({ error: { code: 'x', message: 'm', file: 'a', line: 1, next: 'n' } });
  });

  it('that are bugs ask for a report, with the stack', async () => {
    const { err, code } = await said(new TypeError('no such thing'));
    expect(err).toContain('please report it');
    expect(err).toContain('errors.test.ts');
    expect(code).toBe(70);
  });
});
