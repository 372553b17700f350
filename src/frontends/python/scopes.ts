/**
 * Python scoping: what a name in some place refers to. Exactly the language's rules: a name assigned anywhere in a function
 * is local to it; class scopes are not seen from methods; comprehensions have a scope of their own and a walrus inside one
 * binds outside; `global` and `nonlocal` redirect.
 */
import type { Expression, ModuleId } from '../../ir/nodes.js';

export interface Scope {
  /** `type-parameters` holds the names of `def f[T]`: it makes no activation. */
  readonly kind: 'function' | 'comprehension' | 'class' | 'type-parameters';
  /** Function id, comprehension id or class id. */
  readonly id: string;
  readonly parent?: Scope;
  readonly names: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly nonlocals: ReadonlySet<string>;
  /** Names of a class body that are constants wherever they can be read: assigned once, unconditionally. */
  readonly constants?: Map<string, Expression>;
  /** Name of the class, by which private names are mangled. */
  readonly className?: string;
}

export type Resolution =
  | { readonly kind: 'local'; readonly owner: string }
  | { readonly kind: 'class-name'; readonly value: Expression | undefined }
  | { readonly kind: 'type-parameter' }
  | { readonly kind: 'module' };

/** What a name refers to; `module` when no function or class around binds it. */
export function resolve(scope: Scope | undefined, name: string): Resolution {
  let at = scope;
  let direct = true;
  while (at !== undefined) {
    if (at.kind === 'class') {
      // Neither the names nor the `global` of a class body reach into its functions.
      if (direct && at.globals.has(name)) return { kind: 'module' };
      if (direct && at.names.has(name)) return { kind: 'class-name', value: at.constants?.get(name) };
    } else {
      if (at.globals.has(name)) return { kind: 'module' };
      if (at.names.has(name) && !at.nonlocals.has(name)) return at.kind === 'type-parameters' ? { kind: 'type-parameter' } : { kind: 'local', owner: at.id };
    }
    // Type parameters stand between a class body and what is in it, and hide nothing of it.
    if (at.kind !== 'type-parameters') direct = false;
    at = at.parent;
  }
  return { kind: 'module' };
}

/** The nearest scope that has an activation. */
export function activationScope(scope: Scope | undefined): Scope | undefined {
  let at = scope;
  while (at?.kind === 'class' || at?.kind === 'type-parameters') at = at.parent;
  return at;
}

/** A private name (`__x`) as the class around spells it; every other name as it is. */
export function mangled(scope: Scope | undefined, name: string): string {
  if (!name.startsWith('__') || name.endsWith('__') || name.includes('.')) return name;
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.kind !== 'class') continue;
    const plain = (at.className ?? '').replace(/^_+/, '');
    return plain === '' ? name : `_${plain}${name}`;
  }
  return name;
}

/** Dotted module a relative import names, seen from a module; undefined when it leaves the package. */
export function relativeModule(from: ModuleId, isPackage: boolean, dots: number, rest: string): ModuleId | undefined {
  const path = from.split('.');
  if (!isPackage) path.pop();
  for (let up = 1; up < dots; up += 1) path.pop();
  if (path.length === 0) return undefined;
  return rest === '' ? path.join('.') : `${path.join('.')}.${rest}`;
}
