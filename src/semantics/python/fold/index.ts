/** The fold of Python's pure functions and tests. */
import type { Fold } from '../../../analysis/fold.js';
import { DATA_FOLDS, TEST_FOLDS } from './data.js';
import { PATH_FOLDS } from './path.js';
import { PYDANTIC_FOLDS, PYDANTIC_TESTS } from './pydantic.js';
import { SCHEMA_TESTS } from './schema-tests.js';
import { TEXT_FOLDS } from './text.js';
import type { FoldFunction } from './values.js';

const FOLDS: ReadonlyMap<string, FoldFunction> = new Map([...TEXT_FOLDS, ...PATH_FOLDS, ...DATA_FOLDS, ...PYDANTIC_FOLDS]);
const TESTS: typeof TEST_FOLDS = new Map([...TEST_FOLDS, ...SCHEMA_TESTS, ...PYDANTIC_TESTS]);

export const pythonFold: Fold = {
  term: (store, fn, args) => FOLDS.get(fn)?.(store, args),
  test: (store, fn, args) => TESTS.get(fn)?.(store, args),
};
