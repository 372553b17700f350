/** Language semantics by language id; a language's code is loaded when it is first needed. */
import type { LanguageSemantics } from '../analysis/language.js';

const LOADERS: ReadonlyMap<string, () => Promise<LanguageSemantics>> = new Map([['python', async () => (await import('./python/index.js')).pythonSemantics]]);

export const SEMANTICS_LANGUAGES: readonly string[] = [...LOADERS.keys()];

/** Undefined where the evaluator does not know the language. */
export async function loadSemantics(language: string): Promise<LanguageSemantics | undefined> {
  return LOADERS.get(language)?.();
}
