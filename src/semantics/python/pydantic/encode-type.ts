/** Types without classes as constant terms, so that named tests over unknown elements carry what they check. */
import { listOf } from '../../../analysis/construct.js';
import type { Store } from '../../../analysis/store.js';
import type { TermId } from '../../../analysis/terms.js';
import type { ModelType } from './model-type.js';

/** Undefined for types that name project classes. */
export function encodeType(store: Store, type: ModelType): TermId | undefined {
  const node = (name: string, parts: readonly (TermId | undefined)[]): TermId | undefined => {
    const known = parts.filter((part) => part !== undefined);
    return known.length === parts.length ? listOf(store, 'tuple', [store.string(name), ...known]) : undefined;
  };
  switch (type.kind) {
    case 'any':
      return node('any', []);
    case 'scalar':
      return Object.keys(type.constraints).length === 0 ? node(type.type, []) : undefined;
    case 'list':
      return Object.keys(type.constraints).length === 0 ? node('list', [encodeType(store, type.item)]) : undefined;
    case 'dict':
      return node('dict', [encodeType(store, type.value)]);
    case 'union':
      return node(
        'union',
        type.options.map((option) => encodeType(store, option)),
      );
    case 'literal':
      return node('literal', type.values);
    case 'enum':
    case 'model':
    case 'url':
    case 'context':
    case 'unsupported':
      return undefined;
  }
}
