/** Lint of inventory entries, wherever they stand: in an inventory or among the own entries of a profile. */
import { unreachable } from '../base/errors.js';
import { versionInRange, type Ecosystem } from '../base/versions.js';
import { isEveryVersion, type InventorySet } from './inventory-set.js';
import type { CelText, DimensionModel, Form, InventoryEntry, Model, RegistrationRole, ThrowModel } from './inventory.js';
import type { LintReport } from './lint-report.js';
import { nearest } from './nearest.js';
import type { OperationModel } from './profile.js';
import { parseTypeText, typeIdentities } from './type-text.js';
import { versionSamples } from './version-samples.js';
import type { Path } from './yaml-text.js';

export interface EntryLintContext {
  readonly set: InventorySet;
  readonly ecosystem: Ecosystem;
  /** Whether there is a package whose version selects forms. */
  readonly versioned: boolean;
  /** Every declaration of an operation, by id; undefined where operations are not known. */
  readonly operations: ReadonlyMap<string, readonly OperationModel[]> | undefined;
}

const ROLE_FIELDS: Readonly<Record<RegistrationRole, { readonly required: readonly string[]; readonly optional: readonly string[] }>> = {
  'tool-dispatch': { required: ['server', 'handler', 'validation'], optional: [] },
  'tool-list': { required: ['server', 'handler'], optional: [] },
  tool: { required: ['server', 'handler', 'name', 'validation'], optional: ['schema', 'description'] },
  other: { required: ['server', 'handler'], optional: [] },
};

export function lintEntry(entry: InventoryEntry, path: Path, context: EntryLintContext, report: LintReport): void {
  const canonical = context.set.canonicalIdentity(entry.callee);
  if (canonical !== entry.callee) {
    report.error([...path, 'callee'], 'callee-not-canonical', `"${entry.callee}" is another name of "${canonical}"`, `Write "${canonical}".`);
  }
  if (entry.access === 'attribute' && entry.parameters.length > 0) {
    report.error(
      [...path, 'parameters'],
      'attribute-with-parameters',
      'an attribute that is read has no parameters',
      'Take the parameters out, or use access: call.',
    );
  }
  const parameters = entry.parameters.map((parameter) => parameter.name);
  const scope = new Set([...parameters, 'self']);
  for (const [key, words] of Object.entries(entry.words ?? {})) {
    for (const [, name = ''] of String(words).matchAll(/\{(\w+)\}/g)) {
      if (scope.has(name)) continue;
      report.error([...path, 'words', key], 'parameter-unknown', `the words name "${name}", which is no parameter`, `Names here are: ${[...scope].join(', ')}.`);
    }
  }
  for (const [index, form] of entry.forms.entries()) lintForm(form, [...path, 'forms', index], scope, parameters, context, report);
  lintVersions(entry.forms, [...path, 'forms'], context, report);
}

function lintForm(form: Form, path: Path, scope: ReadonlySet<string>, parameters: readonly string[], context: EntryLintContext, report: LintReport): void {
  report.cel(form.when, [...path, 'when'], scope);
  lintThrows(form.throws, [...path, 'throws'], scope, context, report);
  if (form.type !== undefined) lintType(form.type, [...path, 'type'], context.set, report);
  lintModel(form.model, path, scope, parameters, context, report);
}

export function lintType(text: string, path: Path, set: InventorySet, report: LintReport): void {
  const type = parseTypeText(text);
  if (type === undefined) {
    report.error(
      path,
      'type-syntax',
      `"${text}" is not a type`,
      'Write an identity, str, bytes, int, float, bool, none, json, list<T>, dict<K,V> or optional<T>.',
    );
    return;
  }
  for (const identity of typeIdentities(type)) {
    if (!set.isPrefix(identity) && !set.isClass(identity)) {
      report.warning(
        path,
        'type-without-entry',
        `nothing is known of the type "${identity}": no entry or class begins with it`,
        'Add the entries that are reached through it, or declare it under classes.',
      );
    }
  }
}

function lintThrows(throws: readonly ThrowModel[], path: Path, scope: ReadonlySet<string>, context: EntryLintContext, report: LintReport): void {
  for (const [index, item] of throws.entries()) {
    const at = [...path, index];
    if (item.type !== undefined) lintException(item.type, [...at, 'type'], context.set, report);
    report.cel(item.when, [...at, 'when'], scope);
    if (item.as === undefined) continue;
    lintCallee(item.as.callee, [...at, 'as', 'callee'], context.set, report);
    for (const [argument, cel] of item.as.arguments.entries()) report.cel(cel, [...at, 'as', 'arguments', argument], scope);
  }
}

export function lintException(type: string, path: Path, set: InventorySet, report: LintReport): void {
  if (set.isClass(type)) return;
  report.error(path, 'exception-unknown', `the exception "${type}" is declared under classes in no inventory`, 'Declare it with its bases under classes.');
}

export function lintCallee(callee: string, path: Path, set: InventorySet, report: LintReport): void {
  if (set.lookup(callee, 'call') !== undefined || set.lookup(callee, 'attribute') !== undefined) return;
  report.error(path, 'callee-unknown', `no inventory has an entry for "${callee}"`, 'Correct the name, or add the entry.');
}

function lintModel(model: Model, path: Path, scope: ReadonlySet<string>, parameters: readonly string[], context: EntryLintContext, report: LintReport): void {
  const cel = (field: string, text: CelText | undefined): void => report.cel(text, [...path, field], scope);
  switch (model.kind) {
    case 'pure':
    case 'fresh':
    case 'guard':
    case 'intrinsic':
    case 'refuse':
      return;
    case 'observes':
      return cel('resource', model.resource);
    case 'returns':
      return cel('value', model.value);
    case 'input':
      return cel('name', model.name);
    case 'serves':
      return cel('server', model.server);
    case 'effect':
      cel('resource', model.resource);
      lintThrows(model.refuses, [...path, 'refuses'], scope, context, report);
      return lintOperation(model, path, scope, context, report);
    case 'context':
      cel('value', model.value);
      return lintOperation(model, path, scope, context, report);
    case 'calls':
      if (!parameters.includes(model.closure)) {
        report.error(
          [...path, 'closure'],
          'parameter-unknown',
          `"${model.closure}" is not a parameter of this callee`,
          `Parameters are: ${parameters.join(', ') || 'none'}.`,
        );
      }
      for (const [index, argument] of model.arguments.entries()) report.cel(argument, [...path, 'arguments', index], scope);
      if (model.context !== undefined) lintOperation(model.context, [...path, 'context'], scope, context, report);
      return;
    case 'registers':
      for (const [name, text] of model.fields) report.cel(text, [...path, 'fields', name], scope);
      return lintRole(model.role, model.fields, path, report);
    default:
      unreachable(model);
  }
}

function lintRole(role: RegistrationRole, fields: ReadonlyMap<string, CelText>, path: Path, report: LintReport): void {
  const { required, optional } = ROLE_FIELDS[role];
  for (const name of required.filter((field) => !fields.has(field))) {
    report.error([...path, 'fields'], 'role-field-missing', `the role "${role}" needs the field "${name}"`, `Add "${name}" to fields.`, 'key');
  }
  for (const name of [...fields.keys()].filter((field) => !required.includes(field) && !optional.includes(field))) {
    report.error(
      [...path, 'fields', name],
      'role-field-unknown',
      `the role "${role}" has no field "${name}"`,
      `Fields are: ${[...required, ...optional].join(', ')}.`,
      'key',
    );
  }
}

interface OperationUse {
  readonly operation: string;
  readonly dimensions: ReadonlyMap<string, DimensionModel>;
}

function lintOperation(use: OperationUse, path: Path, scope: ReadonlySet<string>, context: EntryLintContext, report: LintReport): void {
  for (const [name, dimension] of use.dimensions) {
    // The value stands at the dimension itself or one step below it; a path that ends nowhere is placed at its nearest parent.
    report.cel(dimension.value, [...path, 'dimensions', name], scope);
  }
  if (context.operations === undefined) return;
  const declarations = context.operations.get(use.operation);
  if (declarations === undefined) {
    const near = nearest(use.operation, context.operations.keys());
    report.error(
      [...path, 'operation'],
      'operation-unknown',
      `no profile declares the operation "${use.operation}"`,
      near === undefined ? 'Declare it under operations.' : `Did you mean "${near}"? Otherwise declare it under operations.`,
    );
    return;
  }
  for (const declaration of declarations) lintDimensions(use, declaration, path, report);
}

function lintDimensions(use: OperationUse, declaration: OperationModel, path: Path, report: LintReport): void {
  for (const name of [...declaration.dimensions.keys()].filter((dimension) => !use.dimensions.has(dimension))) {
    report.error(
      [...path, 'dimensions'],
      'dimension-missing',
      `the operation "${use.operation}" has the dimension "${name}", and this effect does not say it`,
      `Add "${name}" to dimensions.`,
      'key',
    );
  }
  for (const name of [...use.dimensions.keys()].filter((dimension) => !declaration.dimensions.has(dimension))) {
    report.error(
      [...path, 'dimensions', name],
      'dimension-unknown',
      `the operation "${use.operation}" has no dimension "${name}"`,
      `Its dimensions are: ${[...declaration.dimensions.keys()].join(', ') || 'none'}.`,
      'key',
    );
  }
}

function lintVersions(forms: readonly Form[], path: Path, context: EntryLintContext, report: LintReport): void {
  const ranged = forms.flatMap((form, index) => (isEveryVersion(form.versions) ? [] : [index]));
  if (!context.versioned && ranged.length > 0) {
    for (const index of ranged) {
      report.error(
        [...path, index, 'versions'],
        'versions-without-package',
        'there is no package whose version this range could speak of',
        'Name the package of the inventory, or take the range out.',
      );
    }
    return;
  }
  const samples =
    ranged.length === 0
      ? ['0']
      : versionSamples(
          context.ecosystem,
          forms.map((form) => form.versions),
        );
  if (samples === undefined) return;
  const inRange = (form: Form, version: string): boolean => isEveryVersion(form.versions) || versionInRange(context.ecosystem, version, form.versions);
  for (const [index, form] of forms.entries()) {
    const own = samples.filter((version) => inRange(form, version));
    const earlier = forms.slice(0, index).filter(isUnconditional);
    if (own.every((version) => earlier.some((other) => inRange(other, version)))) {
      const why = own.length === 0 ? `no version is in "${form.versions}"` : 'an earlier form without a condition always applies first';
      report.error(
        [...path, index, 'id'],
        'form-unreachable',
        `the form "${form.id}" is never reached: ${why}`,
        'Move it up, give the earlier form a condition, or take it out.',
      );
      continue;
    }
    const overlapped = isUnconditional(form)
      ? earlier.find((other) => !isEveryVersion(other.versions) && !isEveryVersion(form.versions) && own.some((version) => inRange(other, version)))
      : undefined;
    if (overlapped !== undefined) {
      report.warning(
        [...path, index, 'versions'],
        'versions-overlap',
        `"${form.versions}" overlaps "${overlapped.versions}" of the form "${overlapped.id}", which comes first`,
        'Let the two ranges meet without overlapping.',
      );
    }
  }
  const gap = samples.find((version) => !forms.some((form) => inRange(form, version)));
  if (gap !== undefined) {
    report.warning(
      path,
      'versions-gap',
      `no form holds for some versions, for example ${describeSample(gap, samples)}`,
      'Add a form for them (model: refuse says that they are outside on purpose).',
      'key',
    );
  }
}

function describeSample(version: string, samples: readonly string[]): string {
  const at = samples.indexOf(version);
  if (at === 0) return `those before ${samples[1] ?? 'the first'}`;
  if (at === samples.length - 1) return `those after ${(samples[at - 1] ?? '').replace('.0.0.0.1', '')}`;
  return version.endsWith('.0.0.0.1') ? `those just after ${version.replace('.0.0.0.1', '')}` : version;
}

function isUnconditional(form: Form): boolean {
  return form.when === undefined || (form.when.ast.kind === 'literal' && form.when.ast.value === true);
}
