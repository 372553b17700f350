/** The meaning of Python's builtin values, operators and classes, for the evaluator. */
import type { LanguageSemantics } from '../../analysis/language.js';
import { classMember, construct, methodKind } from './classes.js';
import { convert } from './convert.js';
import { ERRORS } from './failures.js';
import { pythonFold } from './fold/index.js';
import { isInstance } from './instances.js';
import { INTRINSICS } from './intrinsics/index.js';
import { MUTATORS } from './mutators.js';
import { iterate } from './iterate.js';
import { member } from './members.js';
import { augmented, binary, unary } from './operators.js';
import { schemaAccepts } from './json-schema.js';
import { bindSignature } from './signature.js';
import { deleteIndex, index, setIndex, slice } from './subscript.js';
import { truthy } from './truth.js';

export const pythonSemantics: LanguageSemantics = {
  language: 'python',
  fold: pythonFold,
  errors: ERRORS,
  intrinsics: INTRINSICS,
  mutators: MUTATORS,
  truthy,
  unary,
  binary,
  augmented,
  convert,
  member,
  index,
  setIndex,
  deleteIndex,
  slice,
  iterate,
  classMember,
  construct,
  methodKind,
  isInstance,
  schemaAccepts,
  bindSignature,
};
