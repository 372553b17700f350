/** The guides say what the code does: the table of functions, and examples that load and lint clean. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CEL_FUNCTIONS } from '../../../src/profile/cel-functions.js';
import { lintProfile } from '../../../src/profile/lint.js';
import { loadInventory, loadProfile } from '../../../src/profile/load.js';

const guide = (name: string) => readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');
const examples = (name: string) => [...guide(name).matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

describe('guides', () => {
  it('list every function with its meaning', () => {
    const rows = [...CEL_FUNCTIONS.values()].map(({ meaning }) => {
      const [, form = '', rest = ''] = /^(`[^`]+`): (.*)$/s.exec(meaning) ?? [];
      return `| ${form} | ${rest} |`;
    });
    expect(guide('INVENTORIES.md')).toContain(`${rows.join('\n')}\n`);
  });
  it('show an inventory that loads', () => {
    const [inventory = '', relations = ''] = examples('INVENTORIES.md');
    const loaded = loadInventory({ file: 'gitpython.yaml', text: inventory + relations });
    expect([loaded.inventory.entries.size, loaded.inventory.relations.length]).toEqual([1, 1]);
  });
  it('show a profile that loads and has no findings', () => {
    const [pack = '', tool = ''] = examples('PROFILES.md');
    const loaded = loadProfile({ file: 'mcp-demo/save.yaml', text: tool }, () => ({ file: 'mcp-demo/pack.yaml', text: pack }));
    const inventories = loaded.profile.inventories.map((id) =>
      loadInventory({ file: `${id}.yaml`, text: `inventory: ${id}\nlanguage: python\n${id === 'demo' ? 'classes: { "py:pathlib#Path": [] }\n' : ''}` }),
    );
    expect(lintProfile(loaded, inventories)).toEqual([]);
  });
});
