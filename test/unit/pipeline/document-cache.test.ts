import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDocumentCache } from '../../../src/pipeline/host.js';

describe('remembered documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fcd-documents-'));
  afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

  it('are found by schema and text, in another run too, and not when the file was changed', () => {
    openDocumentCache(folder, {}).remember('a.schema.json', 'text', { key: ['\u2028', 1] });
    const found = (): unknown => openDocumentCache(folder, {}).find('a.schema.json', 'text');
    expect(found()).toEqual({ key: ['\u2028', 1] });
    expect(openDocumentCache(folder, {}).find('b.schema.json', 'text')).toBeUndefined();
    expect(openDocumentCache(folder, {}).find('a.schema.json', 'text ')).toBeUndefined();
    const [file = ''] = readdirSync(join(folder, 'documents'));
    const path = join(folder, 'documents', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"key"', '"kex"'));
    expect(found()).toBeUndefined();
    writeFileSync(path, '');
    expect(found()).toBeUndefined();
  });

  it('are not kept where nothing can be written', () => {
    const cache = openDocumentCache('/dev/null/none', {});
    cache.remember('a', 'b', 1);
    expect(cache.find('a', 'b')).toBeUndefined();
  });
});
