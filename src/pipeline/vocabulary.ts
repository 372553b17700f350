/** The words that a profile and its inventories give for operations, callees and inputs; reports speak with them. */
import type { EntryParameter, Inventory, InventoryEntry } from '../profile/inventory.js';
import type { Profile, ProfileFact } from '../profile/profile.js';

export interface CalleeVocabulary {
  readonly parameters: readonly Pick<EntryParameter, 'name' | 'kind'>[];
  readonly words: NonNullable<InventoryEntry['words']>;
}

export interface Vocabulary {
  readonly operations: ReadonlyMap<string, { readonly description: string; readonly words?: string }>;
  /** By identity, and pure operations by the name of their implementation. */
  readonly callees: ReadonlyMap<string, CalleeVocabulary>;
  /** Facts about the world that can be declared, by the callee that they are about. */
  readonly facts: ReadonlyMap<string, Pick<ProfileFact, 'id'>>;
}

export function vocabularyOf(profile: Profile, inventories: readonly Inventory[]): Vocabulary {
  const callees = new Map<string, CalleeVocabulary>();
  for (const entry of [...inventories.flatMap((inventory) => [...inventory.entries.values()]), ...profile.entries.values()]) {
    if (entry.words === undefined) continue;
    const vocabulary = { parameters: entry.parameters, words: entry.words };
    callees.set(entry.callee, vocabulary);
    for (const form of entry.forms) if (form.model.kind === 'pure') callees.set(form.model.function, vocabulary);
  }
  return {
    operations: new Map([...profile.operations].map(([id, { description, words }]) => [id, { description, ...(words === undefined ? {} : { words }) }])),
    callees,
    facts: new Map(profile.facts.map((fact) => [fact.call.callee, { id: fact.id }])),
  };
}
