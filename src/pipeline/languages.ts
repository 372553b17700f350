/** The meaning of a language, loaded when a profile of it is used. */
import type { LanguageSemantics } from '../analysis/language.js';
import { loadSemantics, SEMANTICS_LANGUAGES } from '../semantics/index.js';
import { PipelineError } from './errors.js';

export async function requireSemantics(language: string): Promise<LanguageSemantics> {
  const semantics = await loadSemantics(language);
  if (semantics !== undefined) return semantics;
  throw new PipelineError('language-unsupported', `handlers in ${language} cannot be evaluated`, { next: `This version of fcd knows ${SEMANTICS_LANGUAGES.join(', ')}; name a profile of one of them.` });
}
