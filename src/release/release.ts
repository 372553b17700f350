/** What an acquired release is: files, identity, and the dependency versions that its meaning depends on. */

export interface ReleaseFile {
  /** Path inside the release with `/` separators. */
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  readonly sha256: string;
}

export interface ReleaseIdentity {
  /** Canonical purl, or `dir:` plus the tree digest for a folder. Never a path of the machine. */
  readonly purl: string;
  /** The publisher's digest: `sha256:…` (PyPI), `sha512-…` (npm), `gitCommit:…`. Absent for a folder. */
  readonly artifact?: string;
  /** `sha256:` over the canonical list of (path, mode, sha256), sorted by path. */
  readonly tree: string;
}

/** How a dependency's version is known: locked by a file of the release, or only declared as a range. */
export interface DependencyVersion {
  /** Normalised name in its ecosystem, for example `gitpython`. */
  readonly name: string;
  readonly ecosystem: 'pypi' | 'npm' | 'golang' | 'nuget';
  readonly declared?: string;
  readonly locked?: string;
  /** File that says so, with its digest: `uv.lock`, `METADATA`. `artifact` names another artifact of the same release when it is not this one. */
  readonly from: { readonly path: string; readonly sha256: string; readonly artifact?: string };
}

export interface Release {
  readonly identity: ReleaseIdentity;
  readonly name: string;
  readonly version?: string;
  readonly files: readonly ReleaseFile[];
  /** Folder of the project inside the tree, '' for the root. */
  readonly subpath: string;
  readonly dependencies: readonly DependencyVersion[];
  /** Reads one file of the tree as bytes; verifies its digest. Throws ReleaseError `file-missing`. */
  read(path: string): Promise<Buffer>;
}
