/**
 * Versions that tell a set of ranges apart: each bound that they name, a version just after each, one before all and one
 * after all. Two ranges that agree on the samples agree on every release version, as long as bounds are plain releases;
 * with any other bound there are no samples.
 */
import { compareVersions, type Ecosystem } from '../base/versions.js';
import { isEveryVersion } from './inventory-set.js';

const PLAIN_BOUND = /^(<=|>=|==|!=|<|>)?\s*(\d+(?:\.\d+)*)$/;
const BEFORE_ALL = '0';
const AFTER_ALL = '999999';

export function versionSamples(ecosystem: Ecosystem, ranges: readonly string[]): readonly string[] | undefined {
  const samples = new Set([BEFORE_ALL, AFTER_ALL]);
  for (const range of ranges.filter((one) => !isEveryVersion(one))) {
    for (const bound of range.split(',')) {
      const version = PLAIN_BOUND.exec(bound.trim())?.[2];
      if (version === undefined) return undefined;
      samples.add(version);
      samples.add(`${version}.0.0.0.1`);
    }
  }
  return [...samples].sort((left, right) => compareVersions(ecosystem, left, right));
}
