/** Reads dependency requirements as Python writes them (PEP 508, METADATA, requirements files). No IO. */
import { normalizePypiName } from '../base/purl.js';
import { isVersion } from '../base/versions.js';

export interface Requirement {
  readonly name: string;
  /** Comma-separated comparisons; '' for none, undefined for a direct URL. */
  readonly range: string | undefined;
  readonly marker: string | undefined;
}

/** Undefined: the line is no requirement that can be read. */
export function parseRequirement(text: string): Requirement | undefined {
  const match = /^\s*(?<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?<rest>.*)$/s.exec(text);
  if (match?.groups === undefined) return undefined;
  const { name = '', rest = '' } = match.groups;
  const semicolon = rest.startsWith('@') ? rest.search(/\s;/) : rest.indexOf(';');
  const constraint = (semicolon < 0 ? rest : rest.slice(0, semicolon)).trim();
  const marker = semicolon < 0 ? undefined : rest.slice(rest.indexOf(';', semicolon) + 1).trim();
  if (constraint.startsWith('@')) return { name: normalizePypiName(name), range: undefined, marker };
  const range = constraint.replace(/^\((.*)\)$/s, '$1').replace(/\s+/g, '');
  if (range !== '' && !/^(?:===|~=|==|!=|<=|>=|<|>)/.test(range)) return undefined;
  return { name: normalizePypiName(name), range, marker };
}

/** A requirement of an optional extra is installed only when asked for. */
export function isOptional(requirement: Requirement): boolean {
  return requirement.marker !== undefined && /\bextra\b/.test(requirement.marker);
}

/**
 * The range of each required project. Several requirements of one project are joined when all hold at once; under markers
 * only some of them do, so then the range is not known (undefined).
 */
export function declaredRanges(requirements: readonly Requirement[]): Map<string, string | undefined> {
  const grouped = new Map<string, Requirement[]>();
  for (const requirement of requirements) {
    if (isOptional(requirement)) continue;
    grouped.set(requirement.name, [...(grouped.get(requirement.name) ?? []), requirement]);
  }
  return new Map([...grouped].map(([name, group]) => [name, jointRange(group)]));
}

function jointRange(group: readonly Requirement[]): string | undefined {
  const ranges = new Set(group.map((requirement) => requirement.range));
  if (ranges.has(undefined)) return undefined;
  if (ranges.size > 1 && group.some((requirement) => requirement.marker !== undefined)) return undefined;
  const joined = [...ranges].filter((range) => range !== '').join(',');
  return joined === '' ? '*' : joined;
}

/** The exact pins (`name==version`) of a requirements file; other lines are no lock. */
export function pinsOfRequirementsFile(text: string): { name: string; version: string }[] {
  const joinedLines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  return joinedLines.flatMap((line) => {
    const withoutComment = line
      .replace(/(?:^|\s)#.*$/, '')
      .replace(/\s--hash[=\s]\S+/g, '')
      .trim();
    if (withoutComment === '' || withoutComment.startsWith('-')) return [];
    const requirement = parseRequirement(withoutComment);
    const version = /^={2,3}([^,*]+)$/.exec(requirement?.range ?? '')?.[1];
    return requirement === undefined || version === undefined || !isVersion('pypi', version) ? [] : [{ name: requirement.name, version }];
  });
}

/** The values of one field of a METADATA or PKG-INFO file (RFC 822 headers), folded lines joined. */
export function metadataField(text: string, field: string): string[] {
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1);
  const unfolded = headers.replace(/\r?\n[ \t]+/g, ' ');
  const prefix = `${field.toLowerCase()}:`;
  return unfolded.split(/\r?\n/).flatMap((line) => (line.toLowerCase().startsWith(prefix) ? [line.slice(prefix.length).trim()] : []));
}
