/** A temporary folder for each test, and the code of a refused action. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { ReleaseError, type ReleaseErrorCode } from '../../../src/release/errors.js';

export function useScratchFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fcd-test-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  return () => folder;
}

export async function refusal(action: () => unknown): Promise<ReleaseError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof ReleaseError) return error;
    throw error;
  }
  throw new Error('the action was not refused');
}

export async function refusalCode(action: () => unknown): Promise<ReleaseErrorCode> {
  return (await refusal(action)).code;
}
