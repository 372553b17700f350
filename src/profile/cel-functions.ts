/**
 * The functions that expressions of profiles and inventories may use: the one list, with their meaning. Evaluators
 * implement exactly these, symbolically or on values; the linter refuses others. Every one is total: a test of something
 * that is not text is false, never an error, and means the same for every language.
 */
export interface CelFunction {
  readonly name: string;
  /** `x.f(y)` or `f(x, y)`. */
  readonly style: 'member' | 'free';
  /** Arguments, the target not counted. */
  readonly arity: number;
  readonly meaning: string;
}

const table: readonly CelFunction[] = [
  {
    name: 'startsWith',
    style: 'member',
    arity: 1,
    meaning: '`x.startsWith(y)`: both are text and x begins with y. Empty y begins every text. False when one is not text.',
  },
  {
    name: 'endsWith',
    style: 'member',
    arity: 1,
    meaning: '`x.endsWith(y)`: both are text and x ends with y. Empty y ends every text. False when one is not text.',
  },
  {
    name: 'contains',
    style: 'member',
    arity: 1,
    meaning: '`x.contains(y)`: both are text and y occurs in x. Empty y occurs in every text. False when one is not text.',
  },
  { name: 'size', style: 'member', arity: 0, meaning: '`x.size()`: number of elements of a list, of keys of a record, or of Unicode code points of a text.' },
  { name: 'size', style: 'free', arity: 1, meaning: '`size(x)`: the same as `x.size()`.' },
  {
    name: 'isHex',
    style: 'free',
    arity: 2,
    meaning: '`isHex(x, n)`: x is text of exactly n characters, each 0-9 or a-f (lower case). False when x is not text.',
  },
  {
    name: 'only',
    style: 'free',
    arity: 2,
    meaning: '`only(x, set)`: x is text and each of its characters occurs in the text `set`; true for empty text. False when x is not text.',
  },
  {
    name: 'kind',
    style: 'free',
    arity: 1,
    meaning: '`kind(x)`: "null", "bool", "int", "float", "string", "list", "record" or, for any other value of the language, "object".',
  },
  {
    name: 'text',
    style: 'free',
    arity: 1,
    meaning: '`text(x)`: the text that the language makes of x when it is asked for text (`str(x)` in Python, `String(x)` in JavaScript). Text is itself.',
  },
  {
    name: 'flatten',
    style: 'free',
    arity: 1,
    meaning: '`flatten(list)`: the list with nested lists replaced by their elements, at every depth; a value that is not a list is a list of itself.',
  },
  { name: 'dropNull', style: 'free', arity: 1, meaning: '`dropNull(list)`: the list without its null elements, in order. Nested lists are left as they are.' },
  {
    name: 'optionWords',
    style: 'free',
    arity: 1,
    meaning:
      '`optionWords(record)`: the command words of keyword options, in the order of the keys. A one-letter key k gives `-k`, a longer one `--key` with `_` as `-`. ' +
      'true gives the word alone; false and null give nothing; another value v gives `-k` and `text(v)` as two words, or the one word `--key=text(v)`; a list gives that for each element.',
  },
];

/** Key: `style name`. */
export const CEL_FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map(table.map((entry) => [`${entry.style} ${entry.name}`, entry]));

/** Operators, which are calls in `CelNode`, with the number of their operands. `+` joins texts or lists; `<` and its like compare numbers. */
export const CEL_OPERATORS: ReadonlyMap<string, number> = new Map([
  ...['==', '!=', '<', '<=', '>', '>=', 'in', '+'].map((name): [string, number] => [name, 2]),
  ['!', 1],
]);

const NO_ARITHMETIC = 'arithmetic is not evaluated over unknown values; compare sizes and texts instead';

/** Functions and operators of CEL that are left out on purpose, with the reason. */
export const CEL_FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ...['-', '*', '/', '%', 'neg'].map((name): [string, string] => [name, NO_ARITHMETIC]),
  ['matches', 'regular expressions differ between languages and can run away; use startsWith, endsWith, contains, isHex or only'],
]);
