/** Where module names start: a wheel's top, a `src` folder, or the folder that holds the top packages. */

/** Folders of a checkout that hold no importable modules of the release. */
const ASIDE = /(^|\/)(tests?|docs?|examples?|scripts|build|dist|\.[^/]*)(\/|$)/;

/** Folders, without a slash at the end, in which top-level packages or modules stand. */
export function findRoots(paths: readonly string[]): readonly string[] {
  const packages = new Set(paths.filter((path) => path.endsWith('/__init__.py')).map((path) => path.slice(0, -'/__init__.py'.length)));
  const roots = new Set<string>();
  for (const folder of packages) {
    const parent = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
    if (!packages.has(parent) && !ASIDE.test(folder)) roots.add(parent);
  }
  if (roots.size === 0) {
    const folders = paths.filter((path) => path.endsWith('.py') && !ASIDE.test(path)).map((path) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''));
    const shortest = folders.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
    if (shortest !== undefined) roots.add(shortest);
  }
  return [...roots].sort();
}

/** Module name of a file under one of the roots; the longest root wins. */
export function moduleOf(path: string, roots: readonly string[]): { readonly id: string; readonly isPackage: boolean } | undefined {
  if (!path.endsWith('.py')) return undefined;
  const root = [...roots].filter((candidate) => candidate === '' || path.startsWith(`${candidate}/`)).sort((a, b) => b.length - a.length)[0];
  if (root === undefined) return undefined;
  const inside = (root === '' ? path : path.slice(root.length + 1)).slice(0, -'.py'.length);
  const isPackage = inside === '__init__' || inside.endsWith('/__init__');
  const dotted = (isPackage ? inside.replace(/\/?__init__$/, '') : inside).replaceAll('/', '.');
  return dotted === '' || !/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(dotted) ? undefined : { id: dotted, isPackage };
}

/** Whether a file stands beside the product: in a folder of tests or examples, or a script of the build at the top. */
export function isAside(path: string, roots: readonly string[]): boolean {
  const root = [...roots].filter((candidate) => candidate === '' || path.startsWith(`${candidate}/`)).sort((a, b) => b.length - a.length)[0] ?? '';
  const inside = root === '' ? path : path.slice(root.length + 1);
  const [first = ''] = inside.split('/');
  return inside.includes('/') ? ASIDE.test(`${first}/`) : BUILD_SCRIPTS.test(inside);
}

const BUILD_SCRIPTS = /^(?:setup|conftest|noxfile)\.py$/;
