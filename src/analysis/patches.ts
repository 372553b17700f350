/**
 * Whether the load closure may have replaced what a library identity means. The same thing is reached by many paths
 * (`git.Repo`, `git.repo.base.Repo`), so a write is taken to concern every identity that has a part of the written name.
 */
import type { ForeignWrite } from '../ir/program.js';
import type { Machine } from './machine.js';

/** The write that may have replaced an identity, or something on the path to it. */
export function patchOf(m: Machine, identity: string): ForeignWrite | undefined {
  return m.program.foreignWrites.find((write) => mayConcern(m, write, identity));
}

function mayConcern(m: Machine, { identity: written, how }: ForeignWrite, identity: string): boolean {
  if (written === '*') return true;
  if (written.startsWith('@')) return false;
  if (!written.startsWith('*.')) {
    const canonical = m.library.canonical(written);
    if (identity === canonical || identity.startsWith(`${canonical}.`) || identity.startsWith(`${canonical}#`)) return true;
    // An element or a variable of the environment is no name.
    if (how === 'item' || how === 'environment') return false;
  }
  const name = written.slice(Math.max(written.lastIndexOf('.'), written.lastIndexOf('#')) + 1);
  return partsOf(identity).includes(name);
}

function partsOf(identity: string): readonly string[] {
  return identity.slice(identity.indexOf(':') + 1).split(/[.#]/);
}
