/** Types as inventories write them: an identity, a builtin name, or `list<T>`, `dict<K,V>`, `optional<T>`. */

export type TypeText =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'identity'; readonly identity: string }
  | { readonly kind: 'generic'; readonly name: string; readonly arguments: readonly TypeText[] };

export const BUILTIN_TYPES: ReadonlySet<string> = new Set(['str', 'bytes', 'int', 'float', 'bool', 'none', 'json']);
/** Generic types with the number of their arguments. */
export const GENERIC_TYPES: ReadonlyMap<string, number> = new Map([
  ['list', 1],
  ['dict', 2],
  ['optional', 1],
]);

const IDENTITY = /^[a-z]+:[^\s#<>,]+(#[^\s#<>,]+)?$/;

/** Undefined when the text is not a type. */
export function parseTypeText(text: string): TypeText | undefined {
  const trimmed = text.trim();
  if (BUILTIN_TYPES.has(trimmed)) return { kind: 'builtin', name: trimmed };
  if (IDENTITY.test(trimmed)) return { kind: 'identity', identity: trimmed };
  const generic = /^([a-z]+)<(.*)>$/s.exec(trimmed);
  if (generic === null) return undefined;
  const [, name = '', inner = ''] = generic;
  const parts = splitArguments(inner).map(parseTypeText);
  if (GENERIC_TYPES.get(name) !== parts.length) return undefined;
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? { kind: 'generic', name, arguments: known } : undefined;
}

export function typeIdentities(type: TypeText): readonly string[] {
  switch (type.kind) {
    case 'builtin':
      return [];
    case 'identity':
      return [type.identity];
    case 'generic':
      return type.arguments.flatMap(typeIdentities);
  }
}

function splitArguments(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth += 1;
    if (character === '>') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts;
}
