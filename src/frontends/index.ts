/** The frontends by language, loaded when first needed: a parser is the most expensive thing that fcd loads. */
import type { Frontend } from './frontend.js';

const FRONTENDS: Readonly<Record<string, () => Promise<Frontend>>> = {
  python: async () => (await import('./python/lower.js')).pythonFrontend,
};

export const FRONTEND_LANGUAGES: readonly string[] = Object.keys(FRONTENDS);

export async function loadFrontend(language: string): Promise<Frontend | undefined> {
  return FRONTENDS[language]?.();
}
