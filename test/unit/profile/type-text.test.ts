import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTypeText, typeIdentities } from '../../../src/profile/type-text.js';

describe('types', () => {
  it('nest', () => {
    const type = parseTypeText('dict<str, optional<list<py:a.b#C.D>>>')!;
    expect(type).toMatchObject({ kind: 'generic', name: 'dict', arguments: [{ name: 'str' }, { name: 'optional', arguments: [{ name: 'list' }] }] });
    expect(typeIdentities(type)).toEqual(['py:a.b#C.D']);
  });
  it.each(['', ' ', 'text', 'list', 'list<>', 'list<str', 'list<str,int>', 'dict<str>', 'set<str>', 'list<list<>>', 'list<str>>', 'py:', 'py:a#b c'])(
    'refuses "%s"',
    (text) => {
      expect(parseTypeText(text)).toBeUndefined();
    },
  );
  it('answers for any text', () => {
    const piece = fc.constantFrom('list', 'dict', '<', '>', ',', 'str', 'py:a#b', ' ', '');
    fc.assert(fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => void parseTypeText(pieces.join(''))));
  });
});
