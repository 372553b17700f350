/** Every code by which the compiler can fail to decide is documented, and nothing else is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ESCALATION_CODES } from '../../../src/analysis/summary.js';

describe('docs/ESCALATIONS.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/ESCALATIONS.md'), 'utf8');
  const sections = new Map(text.split(/^### /m).slice(1).map((section) => [section.slice(0, section.indexOf('\n')).trim(), section]));

  it('has a section for each code', () => {
    expect([...sections.keys()].sort()).toEqual([...ESCALATION_CODES].sort());
  });

  it('says in each what it means, an example and the next step', () => {
    for (const [code, section] of sections) {
      expect(section.split('\n')[1]?.length, code).toBeGreaterThan(20);
      expect(section, code).toMatch(/^Example: /m);
      expect(section, code).toMatch(/^Next: /m);
    }
  });
});
