/** `--against 2025.9.25`: a version alone is that version of the same package, in the same folder of it. */
import { formatPurl, isPurl, parsePurl } from '../base/purl.js';
import { PipelineError } from './errors.js';

/** What begins with a digit, or `v` and a digit, and has nothing of a path in it. */
const BARE_VERSION = /^v?\d[^/\\#]*$/;
/** Says which bytes a version has; another version has others. */
const OF_ONE_VERSION = 'checksum';

export function againstSpec(release: string, other: string): string {
  if (isPurl(other) || !BARE_VERSION.test(other)) return other;
  if (!isPurl(release)) {
    throw new PipelineError('input-invalid', `"${other}" is a version, and ${release} is no package that it could be of`, { next: `Name the other release as a package URL, or as a path such as ./${other}.` });
  }
  const purl = parsePurl(release);
  return formatPurl({ ...purl, version: other, qualifiers: new Map([...purl.qualifiers].filter(([key]) => key !== OF_ONE_VERSION)) });
}
