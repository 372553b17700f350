/**
 * The lexical rules that `print` and `parse` share: when a name may stand bare and how it is quoted otherwise.
 * A quoted name is a JSON string, so every name of every language has a printed form.
 */

/** A variable, parameter, member or keyword. */
const NAME_SOURCE = String.raw`[\p{ID_Start}_$][\p{ID_Continue}$]*`;
/** An id of a function, class, module or scope, a file, an operator: names joined by the marks that ids use. */
const PATH_SOURCE = String.raw`[\p{ID_Continue}$.#~<>/@+\-]+`;
const STRING_SOURCE = String.raw`"(?:[^"\\\u0000-\u001f]|\\.)*"`;
const IDENTITY_SOURCE = String.raw`[^<>"\s\u0000-\u001f]+`;

const WHOLE_NAME = new RegExp(`^${NAME_SOURCE}$`, 'u');
const WHOLE_PATH = new RegExp(`^${PATH_SOURCE}$`, 'u');
const WHOLE_IDENTITY = new RegExp(`^${IDENTITY_SOURCE}$`, 'u');
const WHOLE_DECIMAL = /^-?\d+$/;

/** Sticky patterns for the scanner. */
export const NAME = new RegExp(NAME_SOURCE, 'uy');
export const PATH = new RegExp(PATH_SOURCE, 'uy');
export const STRING = new RegExp(STRING_SOURCE, 'uy');
export const IDENTITY = new RegExp(`<(${IDENTITY_SOURCE})>`, 'uy');
export const WORD = /[A-Za-z][A-Za-z-]*/y;
export const INT = /-?\d+(?![\p{ID_Continue}$])/uy;
export const FLOAT = /(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)f(?![\p{ID_Continue}$])/uy;
/** The owner in `%owner::name`, when there is one. */
export const PATH_BEFORE_NAME = new RegExp(`${PATH_SOURCE}(?=::)`, 'uy');
/** A name that is followed by a single `=`. */
export const KEYWORD = new RegExp(`(?:${NAME_SOURCE}|${STRING_SOURCE})(?=[ \\t\\r\\n]*=)`, 'uy');
/** The operator of an augmented assignment, which touches its `=`. */
export const AUGMENTED_OPERATOR = new RegExp(`(?:${PATH_SOURCE}|${STRING_SOURCE})(?==)`, 'uy');
/** A whole span annotation. A file name has no `:` unless it is quoted, so it cannot be taken for `@module::name`. */
export const SPAN = new RegExp(`@(${PATH_SOURCE}|${STRING_SOURCE}):(\\d+):(\\d+)-(\\d+):(\\d+)`, 'uy');

export function quote(text: string): string {
  return JSON.stringify(text);
}

export function printName(name: string): string {
  return WHOLE_NAME.test(name) ? name : quote(name);
}

export function printPath(path: string): string {
  return WHOLE_PATH.test(path) ? path : quote(path);
}

export function printIdentity(identity: string): string {
  return WHOLE_IDENTITY.test(identity) ? `<${identity}>` : `<${quote(identity)}>`;
}

/** Text that is no decimal number is printed too, so that a defect can be shown; the verifier refuses it. */
export function printInt(value: string): string {
  return WHOLE_DECIMAL.test(value) ? value : `int(${quote(value)})`;
}

export function printFloat(value: number): string {
  if (!Number.isFinite(value)) return `float(${value})`;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? `${text}f` : `${text}.0f`;
}

/** The name that a function or class has when its id says so: the last part, without the `~2` of a second definition. */
export function nameFromId(id: string): string {
  return id.slice(Math.max(id.lastIndexOf('.'), id.lastIndexOf('#')) + 1).replace(/~\d+$/, '');
}

/** The module that an id begins with. */
export function moduleFromId(id: string): string {
  const end = id.indexOf('#');
  return end === -1 ? '' : id.slice(0, end);
}
