/** What the profile layer must know of a language: the prefix of its identities and the ecosystem of its packages. */
import { InvariantError } from '../base/errors.js';
import type { Ecosystem } from '../base/versions.js';
import type { LANGUAGES } from './schema-parts.js';

type Language = (typeof LANGUAGES)[number];

const LANGUAGE_FACTS: Readonly<Record<Language, { readonly prefix: string; readonly ecosystem: Ecosystem }>> = {
  python: { prefix: 'py:', ecosystem: 'pypi' },
  // One prefix: a library is the same library from either.
  typescript: { prefix: 'js:', ecosystem: 'npm' },
  javascript: { prefix: 'js:', ecosystem: 'npm' },
  go: { prefix: 'go:', ecosystem: 'golang' },
  csharp: { prefix: 'cs:', ecosystem: 'nuget' },
};

export function identityPrefixOf(language: string): string {
  return factsOf(language).prefix;
}

export function ecosystemOf(language: string): Ecosystem {
  return factsOf(language).ecosystem;
}

function factsOf(language: string): { readonly prefix: string; readonly ecosystem: Ecosystem } {
  const facts = Object.entries(LANGUAGE_FACTS).find(([name]) => name === language)?.[1];
  if (facts === undefined) throw new InvariantError(`a language that the schema does not allow: ${language}`);
  return facts;
}
