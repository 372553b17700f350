import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/base/canonical-json.js';
import type { KnownDocuments } from '../../../src/profile/known-documents.js';
import { loadInventory } from '../../../src/profile/load.js';

const TEXT = 'inventory: demo\nlanguage: python\nclasses: { "py:demo#A": [] }\n';

function memory(): KnownDocuments & { readonly kept: Map<string, JsonValue> } {
  const kept = new Map<string, JsonValue>();
  return { kept, find: (schema, text) => kept.get(`${schema} ${text}`), remember: (schema, text, data) => void kept.set(`${schema} ${text}`, data) };
}

describe('documents that are known', () => {
  it('load to the same form as read from their text', () => {
    const known = memory();
    const fresh = loadInventory({ file: 'demo.yaml', text: TEXT }, known);
    expect(known.kept.size).toBe(1);
    expect(loadInventory({ file: 'demo.yaml', text: TEXT }, known).inventory).toEqual(fresh.inventory);
    expect(fresh.inventory).toEqual(loadInventory({ file: 'demo.yaml', text: TEXT }).inventory);
  });

  it('are remembered only when they are valid, and found only by their own text', () => {
    const known = memory();
    expect(() => loadInventory({ file: 'demo.yaml', text: `${TEXT}other: 1\n` }, known)).toThrow(/unknown key/);
    expect(known.kept.size).toBe(0);
    loadInventory({ file: 'demo.yaml', text: TEXT }, known);
    expect(loadInventory({ file: 'demo.yaml', text: TEXT.replace('demo#A', 'demo#B') }, known).inventory.classes.has('py:demo#B')).toBe(true);
  });
});
