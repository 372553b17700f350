import { describe, expect, it } from 'vitest';
import { assertInvariant, FcdError, formatPlace, InvariantError, unreachable } from '../../../src/base/errors.js';

class LayerError extends FcdError<'a' | 'b'> {}

describe('errors', () => {
  it('keep code, place, next and cause', () => {
    const cause = new Error('inner');
    const error = new LayerError('a', 'outer', { place: { file: 'x.yaml', line: 3 }, next: 'Do this.', cause });
    expect(error).toBeInstanceOf(FcdError);
    expect(error.name).toBe('LayerError');
    expect([error.code, error.place, error.next, error.cause]).toEqual(['a', { file: 'x.yaml', line: 3 }, 'Do this.', cause]);
    expect('cause' in new LayerError('b', 'alone')).toBe(false);
  });
  it('print places', () => {
    expect(formatPlace({ file: 'a', line: 1, column: 2 })).toBe('a:1:2');
    expect(formatPlace({ file: 'a', line: 1 })).toBe('a:1');
    expect(formatPlace({ file: 'a', column: 2 })).toBe('a');
  });
  it('tell bugs apart', () => {
    expect(() => {
      assertInvariant(false, 'broken');
    }).toThrow(InvariantError);
    expect(() => {
      assertInvariant(true, 'fine');
    }).not.toThrow();
    expect(() => unreachable({ kind: 'new-kind' } as never)).toThrow(/new-kind/);
  });
});
