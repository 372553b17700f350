/** The releases of one real server, opened once for all tests of a file. Summaries are made here, never read from an earlier run. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareVersions } from '../../src/base/versions.js';
import type { SummaryCache } from '../../src/pipeline/host.js';
import { Pairs } from '../../src/pipeline/pair.js';
import { Session, type OpenRelease } from '../../src/pipeline/session.js';
import type { Profile } from '../../src/profile/profile.js';
import { fetchIndexPages } from '../../src/release/pip-client.js';
import { mergeIndexFiles, readIndexPage } from '../../src/release/pypi-index.js';

export const PROJECT = 'mcp-server-git';

/** All published versions that have an artifact which can be read, oldest first. */
export async function publishedVersions(project: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fcd-index-'));
  try {
    const pages = await fetchIndexPages(project, { env: process.env, folder });
    const files = mergeIndexFiles(await Promise.all(pages.map(async (page) => readIndexPage(await readFile(page.file, 'utf8'), page.contentType, page.url, project))));
    const readable = files.filter((file) => file.form !== 'other-wheel');
    return [...new Set(readable.map((file) => file.version))].sort((left, right) => compareVersions('pypi', left, right));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Summaries of this process only. */
function summariesInMemory(): SummaryCache {
  const texts = new Map<string, string>();
  return {
    find: async (key) => texts.get(key),
    remember: async (key, text) => void texts.set(key, text),
  };
}

export interface GitReleases {
  readonly session: Session;
  readonly pairs: Pairs;
  readonly profiles: readonly Profile[];
  open(version: string): Promise<OpenRelease>;
}

export function openGitReleases(): GitReleases {
  const session: Session & { summaries: SummaryCache } = new Session();
  session.summaries = summariesInMemory();
  const profiles = session.profiles.profiles.filter((profile) => profile.package === `pkg:pypi/${PROJECT}`);
  return { session, pairs: new Pairs(session), profiles, open: (version) => session.open(`pkg:pypi/${PROJECT}@${version}`) };
}
