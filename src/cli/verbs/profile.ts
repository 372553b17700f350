/** `fcd profile`: what profiles there are, and whether they make sense. */
import type { Finding } from '../../profile/finding.js';
import { JSON_OPTION } from '../common-options.js';
import { UsageError } from '../errors.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import type { Verb, VerbArguments, VerbGroup } from '../verb.js';

const FOLDER_OPTION = { flags: '--profiles <folder>', description: 'look in this folder instead of the one that ships with fcd' };

const lint: Verb = {
  name: 'lint',
  summary: 'check profiles and inventories: every name, version range and expression in them',
  arguments: [{ form: '[files...]', description: 'YAML files of profiles or inventories; default: all of the folder' }],
  options: [FOLDER_OPTION, JSON_OPTION],
  examples: ['fcd profile lint', 'fcd profile lint --profiles ./profiles ./profiles/my-server/my_tool.yaml'],
  notes: 'Exit code 1 when there is an error; warnings alone are 0.',
  run: runLint,
};

async function runLint(args: VerbArguments, io: Io): Promise<ExitCode> {
  const { lintFolder } = await import('../../pipeline/lint.js');
  const { findings, files } = lintFolder(args.text('profiles'), args.positionals, io.workingDirectory);
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  if (args.flag('json')) await io.out(`${JSON.stringify({ files, findings }, undefined, 2)}\n`);
  else await io.out(await lintText(io, findings, files, errors));
  return errors > 0 ? EXIT.finding : EXIT.fine;
}

async function lintText(io: Io, findings: readonly Finding[], files: number, errors: number): Promise<string> {
  const [{ formatFinding }, { count }, { paint }] = await Promise.all([import('../../profile/finding.js'), import('../../review/words.js'), import('../../review/style.js')]);
  const lines = findings.map((finding) => paint(io.style, finding.severity === 'error' ? 'red' : 'yellow', formatFinding(finding)));
  const warnings = findings.length - errors;
  return [...lines, `${count(files, 'file')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`, ''].join('\n');
}

const list: Verb = {
  name: 'list',
  summary: 'the tools that have a profile, with the package and versions that each covers',
  arguments: [],
  options: [FOLDER_OPTION, JSON_OPTION],
  examples: ['fcd profile list'],
  run: runList,
};

async function runList(args: VerbArguments, io: Io): Promise<ExitCode> {
  if (args.positionals.length > 0) throw new UsageError('profile list takes no files', 'Name a folder with --profiles.');
  const { ProfileLibrary } = await import('../../pipeline/profiles.js');
  const profiles = new ProfileLibrary(args.text('profiles')).profiles;
  if (args.flag('json')) {
    const rows = profiles.map(({ id, version, tool, package: name, packageVersions, language, digest }) => ({ id, version, tool, package: name, packageVersions, language, digest }));
    await io.out(`${JSON.stringify(rows, undefined, 2)}\n`);
    return EXIT.fine;
  }
  const { renderTable } = await import('../../review/table.js');
  const rows = profiles.map((profile) => [profile.tool, profile.package, profile.packageVersions, profile.language, `${profile.id} v${profile.version}`].map((text) => ({ text })));
  await io.out(rows.length === 0 ? 'There are no profiles in this folder.\n' : `${renderTable(io.style, ['TOOL', 'PACKAGE', 'VERSIONS', 'LANGUAGE', 'PROFILE'], rows, 0)}\n`);
  return EXIT.fine;
}

export const profile: VerbGroup = { name: 'profile', summary: 'work with profiles: the reviewed files that say what is supported', verbs: [lint, list] };
