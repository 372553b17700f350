/**
 * Inventories and profiles from YAML text to their loaded form. Pure: text in, loaded form out, or a `ProfileError` with
 * every problem found, each with its place and fix. A loaded form is well-formed; whether it makes sense (names in scope,
 * callees that exist, ranges without gaps) is asked by `lint.ts`.
 */
import { ecosystemOf } from './language.js';
import { digestOfForm } from './canonical-form.js';
import { findingAt, ProfileError, throwOnErrors } from './finding.js';
import type { CelText, Inventory } from './inventory.js';
import { loadEntries, loadRelations, reportRepeatedIds } from './load-entry.js';
import { mergePack } from './merge-pack.js';
import type { OperationModel, Profile } from './profile.js';
import type { MergedProfile, RawInventory, RawProfile } from './raw-form.js';
import { ReadContext, type Locate } from './read-context.js';
import { INVENTORY_SCHEMA } from './schema-inventory.js';
import { MERGED_REQUIRED, PACK_SCHEMA, PROFILE_SCHEMA } from './schema-profile.js';
import { readDocument, type KnownDocuments } from './known-documents.js';
import type { SourceText, YamlText } from './yaml-text.js';

export interface LoadedInventory {
  readonly inventory: Inventory;
  readonly file: string;
  readonly sources: readonly SourceText[];
  /** Places by path in the YAML form, for example `['entries', 2, 'forms', 0, 'when']`. */
  readonly locate: Locate;
}

export interface LoadedProfile {
  readonly profile: Profile;
  readonly file: string;
  /** The file itself, and its pack. */
  readonly sources: readonly SourceText[];
  /** Places by path in the merged YAML form; a shared part is placed in the pack file. */
  readonly locate: Locate;
}

/** Finds the pack that a profile names (as written); undefined when there is none. */
export type FindPack = (name: string) => SourceText | undefined;

export function loadInventory(source: SourceText, known?: KnownDocuments): LoadedInventory {
  const yaml = readDocument(source, INVENTORY_SCHEMA, known);
  const raw = yaml.data as unknown as RawInventory;
  const context = new ReadContext(yaml, raw.language, ecosystemOf(raw.language));
  if (raw.package !== undefined) checkPackageLanguage(raw.package, context);
  const identityMap = <Value>(
    members: Readonly<Record<string, Value>> | undefined,
    name: string,
    read: (value: Value, key: string) => Value,
  ): Map<string, Value> => new Map(Object.entries(members ?? {}).map(([key, value]) => [context.identity(key, [name, key], 'key'), read(value, key)]));
  const form: Omit<Inventory, 'digest'> = {
    id: raw.inventory,
    language: raw.language,
    ...(raw.package === undefined ? {} : { package: raw.package }),
    modules: raw.modules ?? [],
    aliases: identityMap(raw.aliases, 'aliases', (target, key) => context.identity(target, ['aliases', key])),
    classes: identityMap(raw.classes, 'classes', (bases, key) => bases.map((base, index) => context.identity(base, ['classes', key, index]))),
    constants: loadConstants(raw.constants ?? {}, context),
    entries: loadEntries(raw.entries ?? [], ['entries'], context),
    relations: loadRelations(raw.relations ?? [], ['relations'], context),
  };
  context.throwIfBroken();
  return { inventory: { ...form, digest: digestOfForm(form) }, file: source.file, sources: [source], locate: context.locate };
}

export function loadProfile(source: SourceText, findPack: FindPack, known?: KnownDocuments): LoadedProfile {
  const own = readDocument(source, PROFILE_SCHEMA, known);
  const packName = (own.data as unknown as RawProfile).pack;
  const pack = packName === undefined ? undefined : requirePack(packName, own, findPack);
  const yaml = pack === undefined ? own : withPack(own, pack, known);
  throwOnErrors(
    MERGED_REQUIRED.filter((key) => !Object.hasOwn(yaml.data as object, key)).map((key) =>
      findingAt({ file: source.file, line: 1, column: 1 }, 'schema-missing-key', `the key "${key}" is missing`, `Add "${key}" here or in the pack.`),
    ),
  );
  const raw = yaml.data as unknown as MergedProfile;
  const context = new ReadContext(yaml, raw.language, ecosystemOf(raw.language));
  checkPackageLanguage(raw.package, context);
  const form = profileForm(raw, context);
  reportRepeatedIds(form.facts, ['facts'], 'facts', context);
  context.throwIfBroken();
  return {
    profile: { ...form, digest: digestOfForm(form) },
    file: source.file,
    sources: pack === undefined ? [source] : [source, pack],
    locate: context.locate,
  };
}

function requirePack(name: string, own: YamlText, findPack: FindPack): SourceText {
  const pack = findPack(name);
  if (pack !== undefined) return pack;
  const place = own.places.locate(own.data, ['pack']);
  throw new ProfileError(findingAt(place, 'pack-missing', `there is no file "${name}" beside this one`, 'Correct the name, or add the pack.'));
}

function withPack(own: YamlText, pack: SourceText, known: KnownDocuments | undefined): YamlText {
  return mergePack(own, readDocument(pack, PACK_SCHEMA, known));
}

function profileForm(raw: MergedProfile, context: ReadContext): Omit<Profile, 'digest'> {
  const domain = context.optionalCel(raw.domain, ['domain']);
  return {
    id: raw.id,
    version: raw.version,
    tool: raw.tool,
    package: raw.package,
    packageVersions: context.range(raw.packageVersions, ['packageVersions']),
    language: raw.language,
    ...(raw.subpath === undefined ? {} : { subpath: raw.subpath }),
    entry: raw.entry.map((entry, index) => ({
      function: entry.function,
      decorators: (entry.decorators ?? []).map((decorator, at) => context.identity(decorator, ['entry', index, 'decorators', at])),
      parameters: (entry.parameters ?? []).map((parameter) => ({ ...parameter, nullable: parameter.nullable ?? false })),
    })),
    servedNames: (raw.servedNames ?? []).map((served, index) => ({
      versions: context.range(served.versions, ['servedNames', index, 'versions']),
      name: served.name,
    })),
    arguments: (raw.arguments ?? []).map((argument) => ({ ...argument, required: argument.required ?? false })),
    additionalArguments: raw.additionalArguments ?? false,
    ...(domain === undefined ? {} : { domain }),
    inventories: raw.inventories,
    entries: loadEntries(raw.entries ?? [], ['entries'], context),
    operations: new Map(Object.entries(raw.operations).map(([id, operation]) => [id, loadOperation(id, operation)])),
    bounds: (raw.bounds ?? []).map((bound, index) => {
      const when = context.optionalCel(bound.when, ['bounds', index, 'when']);
      return { operation: bound.operation, ...(when === undefined ? {} : { when }), reason: bound.reason };
    }),
    inputs: new Map(
      Object.entries(raw.inputs ?? {}).map(([name, input]) => [name, { name, description: input.description, disclosable: input.disclosable ?? false }]),
    ),
    facts: (raw.facts ?? []).map((fact, index) => ({
      id: fact.id,
      description: fact.description,
      call: {
        callee: context.identity(fact.call.callee, ['facts', index, 'call', 'callee']),
        arguments: context.cels(fact.call.arguments, ['facts', index, 'call', 'arguments']),
      },
      throws: fact.throws,
    })),
    assumptions: raw.assumptions ?? [],
    dependencies: new Map(Object.entries(raw.dependencies ?? {}).map(([name, range]) => [name, context.range(range, ['dependencies', name])])),
    reviewers: raw.reviewers ?? [],
  };
}

function loadOperation(id: string, operation: MergedProfile['operations'][string]): OperationModel {
  return {
    id,
    description: operation.description,
    ...(operation.words === undefined ? {} : { words: operation.words }),
    dimensions: new Map(
      Object.entries(operation.dimensions).map(([name, { order, lowering }]) => [
        name,
        { ...(order === undefined ? {} : { order }), lowering: lowering ?? false },
      ]),
    ),
  };
}

function loadConstants(raw: Readonly<Record<string, string>>, context: ReadContext): ReadonlyMap<string, CelText> {
  return new Map(Object.entries(raw).map(([key, text]) => [context.identity(key, ['constants', key], 'key'), context.cel(text, ['constants', key])]));
}

/** `pkg:github/…` holds code of any language; every registry has its own. */
function checkPackageLanguage(purl: string, context: ReadContext): void {
  const type = /^pkg:([a-z]+)\//.exec(purl)?.[1];
  const expected = ecosystemOf(context.language);
  if (type === expected || type === 'github') return;
  context.report(['package'], 'language-mismatch', `"${purl}" is not a package of ${context.language}`, `Name a package as pkg:${expected}/… or pkg:github/….`);
}
