/**
 * The one spelling of an identity. `py:git#exc.BadName` is `py:git.exc#BadName` when `git.exc` is a module; then aliases
 * replace the longest prefix that has one; both are repeated until nothing changes. Cycles are refused when the table is
 * made, so that canonicalising always ends.
 */
import { findingAt, ProfileError } from './finding.js';
import type { Inventory } from './inventory.js';

export class AliasTable {
  readonly #aliases = new Map<string, string>();
  readonly #modules: ReadonlySet<string>;
  readonly #known = new Map<string, string>();

  constructor(inventories: readonly Inventory[], modules: ReadonlySet<string>) {
    this.#modules = modules;
    for (const inventory of inventories) {
      for (const [from, to] of inventory.aliases) {
        const name = this.#resolveModules(from);
        const known = this.#aliases.get(name);
        if (known !== undefined && known !== to) {
          throw aliasError('inventory-conflict', `the alias "${name}" leads to both "${known}" and "${to}"`, 'Keep one of the two.');
        }
        this.#aliases.set(name, to);
      }
    }
    for (const alias of this.#aliases.keys()) this.#canonical(alias);
  }

  canonical(identity: string): string {
    const known = this.#known.get(identity);
    if (known !== undefined) return known;
    const canonical = this.#canonical(identity);
    this.#known.set(identity, canonical);
    return canonical;
  }

  #canonical(identity: string): string {
    const seen = new Set<string>();
    let current = this.#resolveModules(identity);
    for (;;) {
      const next = this.#follow(current);
      if (next === current) return current;
      seen.add(current);
      // A path that grows under an alias to its own member would otherwise never repeat.
      if (seen.has(next) || seen.size > this.#aliases.size) {
        throw aliasError(
          'alias-cycle',
          `the aliases of "${identity}" lead in a circle: ${[...seen, next].slice(0, 8).join(' -> ')}`,
          'Let each alias lead to the defining name.',
        );
      }
      current = next;
    }
  }

  #follow(identity: string): string {
    for (let end = identity.length; end > 0; end -= 1) {
      const boundary = end === identity.length || identity[end] === '.' || identity[end] === '#';
      const target = boundary ? this.#aliases.get(identity.slice(0, end)) : undefined;
      if (target !== undefined) return this.#resolveModules(continueAt(target, identity.slice(0, end), identity.slice(end)));
    }
    return identity;
  }

  /** Moves the members that are modules from behind the `#` to before it. */
  #resolveModules(identity: string): string {
    const hash = identity.indexOf('#');
    if (hash === -1) return identity;
    let module = identity.slice(0, hash);
    const members = identity.slice(hash + 1).split('.');
    while (members.length > 0 && this.#modules.has(`${module.slice(module.indexOf(':') + 1)}.${members[0]}`)) {
      module = `${module}.${members.shift()}`;
    }
    return members.length === 0 ? module : `${module}#${members.join('.')}`;
  }
}

/** Puts what followed the alias behind its target: a name continues a name with a dot, and a module with its `#`. */
function continueAt(target: string, alias: string, rest: string): string {
  if (target.includes('#')) return `${target}${rest.replace('#', '.')}`;
  if (alias.includes('#') && rest !== '') return `${target}#${rest.slice(1)}`;
  return `${target}${rest}`;
}

function aliasError(code: 'alias-cycle' | 'inventory-conflict', message: string, fix: string): ProfileError {
  return new ProfileError(findingAt({ file: 'inventories' }, code, message, fix));
}
