/**
 * One run of fcd: the releases, programs and profiles that it has opened, each once. Releases are acquired and lowered when
 * first needed; a release whose summaries are cached is never parsed.
 */
import type { SourceFile } from '../frontends/frontend.js';
import { FRONTEND_LANGUAGES, loadFrontend } from '../frontends/index.js';
import type { Program } from '../ir/program.js';
import type { Profile } from '../profile/profile.js';
import { acquireRelease, type AcquireOptions } from '../release/acquire.js';
import type { Release } from '../release/release.js';
import { PipelineError } from './errors.js';
import { openDocumentCache, openSummaryCache, type SummaryCache } from './host.js';
import { ProfileLibrary } from './profiles.js';
import { fitProfile, packagesOf, type PackageName } from './project.js';

export interface SessionOptions {
  readonly cacheDir?: string | undefined;
  readonly offline?: boolean | undefined;
  /** Folder of profiles instead of the packaged ones. */
  readonly profilesFolder?: string | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  readonly workingDirectory?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

export interface OpenRelease {
  readonly release: Release;
  /** What it is for profiles; several for a checkout on a forge. */
  readonly packages: readonly PackageName[];
  /** How reports name it. */
  readonly label: string;
  program(language: string): Promise<Program>;
}

export class Session {
  readonly profiles: ProfileLibrary;
  readonly summaries: SummaryCache;
  readonly #options: SessionOptions;
  readonly #releases = new Map<string, Promise<OpenRelease>>();

  constructor(options: SessionOptions = {}) {
    this.#options = options;
    const env = options.env ?? process.env;
    this.profiles = new ProfileLibrary(options.profilesFolder, openDocumentCache(options.cacheDir, env));
    this.summaries = openSummaryCache(options.cacheDir, env);
  }

  progress(message: string): void {
    this.#options.onProgress?.(message);
  }

  /** A failure is remembered as well: lines of a batch that name the same missing release fail alike, and ask once. */
  open(spec: string): Promise<OpenRelease> {
    let open = this.#releases.get(spec);
    if (open === undefined) {
      open = this.#acquire(spec);
      this.#releases.set(spec, open);
    }
    return open;
  }

  async #acquire(spec: string): Promise<OpenRelease> {
    this.progress(`fetching ${spec}`);
    const acquire = (text: string): Promise<Release> => acquireRelease(text, this.#acquireOptions());
    const release = await acquire(spec);
    const packages = await packagesOf(release);
    const folder = spec.includes('#') || this.#isKnown(packages) ? undefined : this.#folderFromProfiles(release);
    if (folder === undefined) return openRelease(release, packages, labelOf(spec, release));
    const inside = await acquire(`${spec}#${folder}`);
    return openRelease(inside, await packagesOf(inside), labelOf(`${spec}#${folder}`, inside));
  }

  #acquireOptions(): AcquireOptions {
    const { cacheDir, offline, onProgress, workingDirectory, env } = this.#options;
    return { cacheDir, offline, onProgress, workingDirectory, env };
  }

  #isKnown(packages: readonly PackageName[]): boolean {
    return this.profiles.profiles.some((profile) => fitProfile(profile, packages).kind !== 'other-package');
  }

  /** Where a profile says that its project is in a checkout of many. */
  #folderFromProfiles(release: Release): string | undefined {
    const folders = new Set(this.profiles.profiles.flatMap((profile) => (profile.subpath === undefined ? [] : [profile.subpath])));
    const present = [...folders].filter((folder) => release.files.some((file) => file.path.startsWith(`${folder}/`)));
    return present.length === 1 ? present[0] : undefined;
  }
}

/** The profiles that speak of both releases, sorted by tool. */
export function profilesOfPair(session: Session, source: OpenRelease, target: OpenRelease): readonly Profile[] {
  const ofTarget = session.profiles.applicable(target.packages, target.label);
  const ofSource = new Set(session.profiles.applicable(source.packages, source.label));
  const both = ofTarget.filter((profile) => ofSource.has(profile));
  if (both.length > 0) return both;
  throw new PipelineError('profile-missing', `no profile speaks of both ${source.label} and ${target.label}`, { next: 'Name two releases of one package.' });
}

function openRelease(release: Release, packages: readonly PackageName[], label: string): OpenRelease {
  const programs = new Map<string, Promise<Program>>();
  return {
    release,
    packages,
    label,
    program(language) {
      let program = programs.get(language);
      if (program === undefined) {
        program = lowerRelease(release, language);
        programs.set(language, program);
      }
      return program;
    },
  };
}

/** Only the project's own folder is read: a repository of many projects has modules of one name several times. */
async function lowerRelease(release: Release, language: string): Promise<Program> {
  const frontend = await loadFrontend(language);
  if (frontend === undefined) {
    throw new PipelineError('language-unsupported', `releases in ${language} cannot be read`, { next: `This version of fcd reads ${FRONTEND_LANGUAGES.join(', ')}.` });
  }
  const prefix = release.subpath === '' ? '' : `${release.subpath}/`;
  const paths = release.files.map((file) => file.path).filter((path) => path.startsWith(prefix) && frontend.reads(path));
  const files: SourceFile[] = [];
  for (const path of paths) files.push({ path, text: (await release.read(path)).toString('utf8') });
  return frontend.lower({ files });
}

/** The canonical purl; a folder is called as the user calls it. */
function labelOf(spec: string, release: Release): string {
  return release.identity.purl.startsWith('dir:') ? spec : release.identity.purl;
}
