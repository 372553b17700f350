import { describe, expect, it } from 'vitest';
import { equal } from '../../../src/analysis/construct.js';
import { FALSE } from '../../../src/analysis/guards.js';
import { Store } from '../../../src/analysis/store.js';
import { concat } from '../../../src/analysis/text-tests.js';

describe('joined text and a constant', () => {
  const store = new Store();
  const joined = concat(store, [store.string('--unified='), store.intern({ kind: 'argument', path: ['n'] }), store.string(';')]);

  it.each(['', '--unified=', '--unified', 'x--unified=;', '--unified=3'])('cannot be %j', (text) => {
    expect(equal(store, joined, store.string(text))).toBe(FALSE);
  });

  it.each(['--unified=;', '--unified=3;'])('may be %j', (text) => {
    expect(equal(store, joined, store.string(text))).not.toBe(FALSE);
  });
});
