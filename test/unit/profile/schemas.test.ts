/** The published schema files are the schemas that the loader uses. `npx vitest run -u` on this file writes them. */
import { describe, expect, it } from 'vitest';
import { INVENTORY_SCHEMA } from '../../../src/profile/schema-inventory.js';
import { PACK_SCHEMA, PROFILE_SCHEMA } from '../../../src/profile/schema-profile.js';

const published = { inventory: INVENTORY_SCHEMA, profile: PROFILE_SCHEMA, pack: PACK_SCHEMA };

describe('published schemas', () => {
  it.each(Object.entries(published))('%s', async (name, schema) => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../../schemas/${name}.schema.json`);
  });
  it('describe every property', () => {
    const bare: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries(value as object)) if (!('description' in (property as object))) bare.push(`${path}.${name}`);
        }
        walk(value, `${path}.${key}`);
      }
    };
    walk(published, '');
    expect(bare).toEqual([]);
  });
});
