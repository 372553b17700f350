/**
 * Whether loaded inventories and profiles make sense: every name, callee, exception, operation and version range that they
 * speak of exists, and nothing in them is unreachable. Findings are values; nothing here throws for what an author wrote.
 */
import { LintReport } from './lint-report.js';
import { identifiersOf, selectedFields } from './check-cel.js';
import { findingAt, ProfileError, type Finding } from './finding.js';
import { InventorySet } from './inventory-set.js';
import type { CelText, Inventory, Relation } from './inventory.js';
import { ecosystemOf, identityPrefixOf } from './language.js';
import { lintCallee, lintEntry, lintException, lintType, type EntryLintContext } from './lint-entry.js';
import type { LoadedInventory, LoadedProfile } from './load.js';
import { nearest } from './nearest.js';
import type { OperationModel, Profile } from './profile.js';
import { KEBAB } from './schema-parts.js';
import type { Path } from './yaml-text.js';

const NOTHING: ReadonlySet<string> = new Set();

export interface InventoryLintContext {
  /** Other inventories of the language, for what they declare (exceptions, types, callees). */
  readonly inventories?: readonly LoadedInventory[];
  /** Operations that profiles declare; without it, operations are not checked. */
  readonly operations?: ReadonlyMap<string, readonly OperationModel[]>;
}

export function lintInventory(loaded: LoadedInventory, context: InventoryLintContext = {}): readonly Finding[] {
  const { inventory } = loaded;
  const report = new LintReport(loaded.locate);
  report.unfinishedText(loaded.sources);
  checkFileName(loaded.file, inventory.id, ['inventory'], report);
  const others = (context.inventories ?? []).map((other) => other.inventory).filter((other) => other.id !== inventory.id);
  const prefix = identityPrefixOf(inventory.language);
  const set = combine([inventory, ...others.filter((other) => identityPrefixOf(other.language) === prefix)], undefined, loaded.file, report);
  if (set === undefined) return report.findings;
  const entryContext: EntryLintContext = {
    set,
    ecosystem: ecosystemOf(inventory.language),
    versioned: inventory.package !== undefined,
    operations: context.operations,
  };
  for (const [index, entry] of [...inventory.entries.values()].entries()) lintEntry(entry, ['entries', index], entryContext, report);
  for (const [identity, value] of inventory.constants) report.cel(value, ['constants', identity], NOTHING);
  for (const [identity, bases] of inventory.classes) lintBases(identity, bases, set, report);
  for (const [index, relation] of inventory.relations.entries()) lintRelation(relation, ['relations', index], inventory, set, report);
  return report.findings;
}

/** `inventories` are all that there are; the profile names those that it uses. */
export function lintProfile(loaded: LoadedProfile, inventories: readonly LoadedInventory[]): readonly Finding[] {
  const { profile } = loaded;
  const report = new LintReport(loaded.locate);
  report.unfinishedText(loaded.sources);
  checkFileName(loaded.file, profile.id, ['id'], report);
  const used = namedInventories(profile, inventories, report);
  lintArguments(profile, report);
  lintAssumptions(profile, report);
  if (profile.reviewers.length === 0) {
    report.warning([], 'reviewers-missing', 'nobody is named as having reviewed this profile', 'Add reviewers once it is reviewed.');
  }
  for (const [index, entry] of profile.entry.entries()) {
    for (const [at, parameter] of entry.parameters.entries()) {
      if (profile.inputs.has(parameter.input)) continue;
      report.error(
        ['entry', index, 'parameters', at, 'input'],
        'input-undeclared',
        `the input "${parameter.input}" is not declared`,
        'Declare it under inputs.',
      );
    }
  }
  const args = argumentScope(profile, report);
  args(profile.domain, ['domain'], new Set(['args']));
  lintBounds(profile, args, report);
  const set = combine(used, profile, loaded.file, report);
  if (set === undefined) return report.findings;
  lintWithInventories(profile, used, set, args, report);
  return report.findings;
}

/** Everything in a folder of profiles. Each finding once, though a pack is read by many profiles. */
export function lintAll(inventories: readonly LoadedInventory[], profiles: readonly LoadedProfile[]): readonly Finding[] {
  const operations = new Map<string, OperationModel[]>();
  for (const { profile } of profiles) {
    for (const [id, operation] of profile.operations) operations.set(id, [...(operations.get(id) ?? []), operation]);
  }
  const findings = [
    ...inventories.flatMap((inventory) => lintInventory(inventory, profiles.length === 0 ? { inventories } : { inventories, operations })),
    ...profiles.flatMap((profile) => lintProfile(profile, inventories)),
  ];
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

function lintBases(identity: string, bases: readonly string[], set: InventorySet, report: LintReport): void {
  for (const [index, base] of bases.entries()) {
    if (set.isClass(base)) continue;
    const fix = 'Declare it with its bases under classes; until then, whether a handler catches this class is not known.';
    report.warning(['classes', identity, index], 'exception-unknown', `the base "${base}" is declared under classes in no inventory`, fix);
  }
}

function lintRelation(relation: Relation, path: Path, inventory: Inventory, set: InventorySet, report: LintReport): void {
  if (relation.versions !== '*' && inventory.package === undefined) {
    report.error(
      [...path, 'versions'],
      'versions-without-package',
      'there is no package whose version this range could speak of',
      'Name the package of the inventory, or take the range out.',
    );
  }
  for (const side of ['if', 'implies'] as const) {
    lintCallee(relation[side].callee, [...path, side, 'callee'], set, report);
    if (relation[side].type !== undefined) lintException(relation[side].type, [...path, side, 'type'], set, report);
  }
  const premise = relation.if.arguments.filter((name) => name !== '_');
  const conclusion = relation.implies.arguments.filter((name) => name !== '_');
  const condition = relation.when === undefined ? NOTHING : identifiersOf(relation.when.ast);
  report.cel(relation.when, [...path, 'when'], new Set(premise));
  for (const [index, name] of relation.if.arguments.entries()) {
    const uses = premise.filter((other) => other === name).length;
    if (name !== '_' && uses === 1 && !conclusion.includes(name) && !condition.has(name)) {
      report.warning([...path, 'if', 'arguments', index], 'relation-variable-unused', `the variable "${name}" is used only here`, 'Write "_" for anything.');
    }
  }
  for (const [index, name] of relation.implies.arguments.entries()) {
    if (name !== '_' && !premise.includes(name)) {
      report.error(
        [...path, 'implies', 'arguments', index],
        'relation-variable-unbound',
        `the variable "${name}" does not occur in "if"`,
        'Use a variable of "if", or "_" for anything.',
      );
    }
  }
}

function namedInventories(profile: Profile, inventories: readonly LoadedInventory[], report: LintReport): readonly Inventory[] {
  const byId = new Map(inventories.map((loaded) => [loaded.inventory.id, loaded.inventory]));
  return profile.inventories.flatMap((id, index) => {
    const inventory = byId.get(id);
    const path = ['inventories', index];
    if (inventory === undefined) {
      const near = nearest(id, byId.keys());
      report.error(
        path,
        'inventory-missing',
        `there is no inventory "${id}"`,
        near === undefined ? `Add profiles/inventories/${id}.yaml.` : `Did you mean "${near}"?`,
      );
      return [];
    }
    if (identityPrefixOf(inventory.language) === identityPrefixOf(profile.language)) return [inventory];
    report.error(
      path,
      'language-mismatch',
      `the inventory "${id}" is of ${inventory.language}, the profile of ${profile.language}`,
      'Name an inventory of the same language.',
    );
    return [];
  });
}

function lintArguments(profile: Profile, report: LintReport): void {
  const seen = new Set<string>();
  for (const [index, argument] of profile.arguments.entries()) {
    if (seen.has(argument.name))
      report.error(['arguments', index, 'name'], 'argument-duplicate', `the argument "${argument.name}" is declared twice`, 'Keep one of the two.');
    seen.add(argument.name);
  }
}

function lintAssumptions(profile: Profile, report: LintReport): void {
  const seen = new Set<string>();
  for (const [index, { id }] of profile.assumptions.entries()) {
    if (!new RegExp(KEBAB).test(id))
      report.error(['assumptions', index, 'id'], 'assumption-id', `"${id}" is not in kebab-case`, 'Write lower-case words joined by "-".');
    if (seen.has(id)) report.error(['assumptions', index, 'id'], 'assumption-id', `two assumptions have the id "${id}"`, 'Give each its own id.');
    seen.add(id);
  }
}

type CheckArguments = (cel: CelText | undefined, path: Path, scope: ReadonlySet<string>) => void;

function argumentScope(profile: Profile, report: LintReport): CheckArguments {
  const known = new Set(profile.arguments.map((argument) => argument.name));
  return (cel, path, scope) => {
    report.cel(cel, path, scope);
    if (cel === undefined || profile.additionalArguments) return;
    for (const name of selectedFields(cel.ast, 'args').filter((field) => !known.has(field))) {
      const near = nearest(name, known);
      report.error(
        path,
        'argument-unknown',
        `the profile declares no argument "${name}"`,
        near === undefined ? 'Declare it under arguments.' : `Did you mean "${near}"?`,
      );
    }
  };
}

function lintBounds(profile: Profile, args: CheckArguments, report: LintReport): void {
  for (const [index, bound] of profile.bounds.entries()) {
    const path = ['bounds', index];
    const operation = profile.operations.get(bound.operation);
    args(bound.when, [...path, 'when'], new Set(['args', 'dimensions']));
    if (operation === undefined) {
      const near = nearest(bound.operation, profile.operations.keys());
      report.error(
        [...path, 'operation'],
        'operation-unknown',
        `the operation "${bound.operation}" is not declared`,
        near === undefined ? 'Declare it under operations.' : `Did you mean "${near}"?`,
      );
      continue;
    }
    const named = bound.when === undefined ? [] : selectedFields(bound.when.ast, 'dimensions');
    for (const name of named.filter((field) => !operation.dimensions.has(field))) {
      report.error(
        [...path, 'when'],
        'dimension-unknown',
        `the operation "${bound.operation}" has no dimension "${name}"`,
        `Its dimensions are: ${[...operation.dimensions.keys()].join(', ') || 'none'}.`,
      );
    }
  }
}

function lintWithInventories(profile: Profile, used: readonly Inventory[], set: InventorySet, args: CheckArguments, report: LintReport): void {
  const operations = new Map([...profile.operations].map(([id, operation]) => [id, [operation]]));
  const context: EntryLintContext = { set, ecosystem: ecosystemOf(profile.language), versioned: true, operations };
  for (const [index, entry] of [...profile.entries.values()].entries()) lintEntry(entry, ['entries', index], context, report);
  for (const [index, fact] of profile.facts.entries()) {
    lintCallee(fact.call.callee, ['facts', index, 'call', 'callee'], set, report);
    for (const [at, cel] of fact.call.arguments.entries()) args(cel, ['facts', index, 'call', 'arguments', at], new Set(['args', 'inputs', '_']));
  }
  // Without any inventory (all of them missing), every type would be unknown: told once by the missing inventories.
  if (used.length === 0) return;
  for (const [index, entry] of profile.entry.entries()) {
    for (const [at, parameter] of entry.parameters.entries()) lintType(parameter.type, ['entry', index, 'parameters', at, 'type'], set, report);
  }
}

function combine(inventories: readonly Inventory[], own: Profile | undefined, file: string, report: LintReport): InventorySet | undefined {
  try {
    return new InventorySet(inventories, own);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    report.findings.push(...error.findings.map((finding) => findingAt({ file, line: 1, column: 1 }, finding.code, finding.message, finding.fix)));
    return undefined;
  }
}

/** `inventories/gitpython.yaml` is `gitpython`, `mcp-server-git/git_diff.yaml` is `mcp-server-git/git_diff`. */
function checkFileName(file: string, id: string, path: Path, report: LintReport): void {
  const steps = file.replace(/\.yaml$/, '').split('/');
  const expected = steps.slice(-id.split('/').length).join('/');
  if (expected !== id) report.error(path, 'id-differs-from-file', `the id "${id}" is not the name of the file`, `Write "${expected}", or rename the file.`);
}
