/**
 * Regenerates the summaries of a release from its unpacked files, with the built compiler, and prints their bytes: one
 * line for each tool of the packaged profiles. In a process of its own, so that place, time zone and language can differ.
 *
 *   node regenerate.mjs FOLDER forward|reverse LOCKED.json
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { BoundLibrary } from '../../dist/analysis/bound-library.js';
import { Store } from '../../dist/analysis/store.js';
import { summarizeTool } from '../../dist/analysis/summarize.js';
import { encodeSummary } from '../../dist/analysis/summary-codec.js';
import { canonicalJson } from '../../dist/base/canonical-json.js';
import { loadFrontend } from '../../dist/frontends/index.js';
import { resolveDependencies, versionLookup } from '../../dist/pipeline/dependencies.js';
import { requireSemantics } from '../../dist/pipeline/languages.js';
import { ProfileLibrary } from '../../dist/pipeline/profiles.js';

const [, , folder, order, locked] = process.argv;
const frontend = await loadFrontend('python');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((path) => frontend.reads(path))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
if (order === 'reverse') files.reverse();

const library = new ProfileLibrary(undefined);
const semantics = await requireSemantics('python');
const profiles = library.profiles.filter((profile) => profile.package === 'pkg:pypi/mcp-server-git');
if (order === 'reverse') profiles.reverse();
const program = await frontend.lower({ files });
// One store for all tools, so that what one leaves behind is there when the next is read.
const store = new Store();
const lines = profiles.map((profile) => {
  const versions = versionLookup('pypi', resolveDependencies('pypi', [], new Map(Object.entries(JSON.parse(locked)))));
  const { summary, usedFiles } = summarizeTool({ store, program, profile, library: new BoundLibrary(library.inventorySet(profile), versions), semantics, servedName: profile.tool });
  const { semantic, spans } = encodeSummary(summary);
  return canonicalJson({ tool: profile.tool, semantic, spans, usedFiles });
});
process.stdout.write(`${lines.sort().join('\n')}\n`);
