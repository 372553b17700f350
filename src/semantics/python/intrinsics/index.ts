/** Intrinsics by the name that inventories use, or by identity where the semantics made the callee themselves. */
import type { Intrinsic } from '../../../analysis/language.js';
import { COLLECTION_INTRINSICS } from './collections.js';
import { DICT_INTRINSICS } from './dict-methods.js';
import { FUNCTION_INTRINSICS } from './functions.js';
import { ITERATION_INTRINSICS } from './iteration.js';
import { LIST_INTRINSICS } from './list-methods.js';
import { ORDERING_INTRINSICS } from './ordering.js';
import { PYDANTIC_INTRINSICS } from './pydantic.js';
import { REFLECTION_INTRINSICS } from './reflection.js';
import { SCALAR_INTRINSICS } from './scalars.js';
import { SET_INTRINSICS } from './set-methods.js';

export const INTRINSICS: ReadonlyMap<string, Intrinsic> = new Map([
  ...COLLECTION_INTRINSICS,
  ...LIST_INTRINSICS,
  ...DICT_INTRINSICS,
  ...SET_INTRINSICS,
  ...SCALAR_INTRINSICS,
  ...ORDERING_INTRINSICS,
  ...ITERATION_INTRINSICS,
  ...REFLECTION_INTRINSICS,
  ...FUNCTION_INTRINSICS,
  ...PYDANTIC_INTRINSICS,
]);
