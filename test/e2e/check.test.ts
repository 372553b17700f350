/** The main job through the built command, on releases that are folders. */
import { describe, expect, it } from 'vitest';
import { fcd, GUARDED_HELPER, NOTES_PROFILE, notesProfiles, notesServer } from './fixture.js';

describe('fcd check', () => {
  const profiles = notesProfiles();
  const plain = notesServer();
  const guarded = notesServer({ helper: GUARDED_HELPER, version: '1.1.0' });

  it('finds a guard added narrower, shows both lines, and ends with 0', async () => {
    const ran = await fcd(['check', guarded, '--against', plain, '--profiles', profiles]);
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/title starts with "-" +narrows +notes.write .* refuses/);
    expect(ran.stdout).toMatch(/target {2}fixture_notes\/server.py:\d+ {2}raise ValueError\("a title does not begin with a dash"\)/);
    expect(ran.stdout).toMatch(/all other supported calls +keeps/);
    expect(ran.code).toBe(0);
  });

  it('finds the guard dropped a change, with the lines of both releases, and ends with 1', async () => {
    const ran = await fcd(['check', plain, '--against', guarded, '--profiles', profiles]);
    expect(ran.stdout).toMatch(/title starts with "-" +changes +refuses +notes.write/);
    expect(ran.stdout).toMatch(/source {2}fixture_notes\/server.py:\d+ {2}raise ValueError/);
    expect(ran.stdout).toMatch(/target {2}fixture_notes\/server.py:\d+ {2}notestore.put\(title, arguments.get\("text", ""\)\)/);
    expect(ran.code).toBe(1);
  });

  it('finds a release equal to itself by definition, and by evaluation', async () => {
    const byDefinition = await fcd(['check', plain, '--against', plain, '--profiles', profiles]);
    expect(byDefinition.stdout).toContain('same files, inputs and dependencies');
    expect(byDefinition.code).toBe(0);
    const evaluated = await fcd(['check', plain, '--against', plain, '--profiles', profiles, '--no-shortcut']);
    expect(evaluated.stdout).toContain('compatible: every call keeps');
    expect(evaluated.code).toBe(0);
  });

  it('gives programs the whole report, with predicates, and the same exit code', async () => {
    const ran = await fcd(['check', plain, '--against', guarded, '--profiles', profiles, '--json']);
    const { tools } = JSON.parse(ran.stdout) as { tools: { verdict: string; classes: { condition: string; verdict: string }[]; containedWhen: { kind: string; text: string } }[] };
    expect(tools[0]?.verdict).toBe('conditional');
    expect(tools[0]?.classes.map(({ condition, verdict }) => [condition, verdict])).toContainEqual(['args.title starts with "-"', 'changed']);
    expect(tools[0]?.containedWhen.text).toContain('startsWith("-")');
    expect(ran.code).toBe(1);
  });

  it('shows every class of calls when asked', async () => {
    const ran = await fcd(['check', plain, '--against', guarded, '--profiles', profiles, '--all-classes']);
    expect(ran.stdout).toMatch(/title does not start with "-" +keeps/);
    expect(ran.code).toBe(1);
  });

  it('says the same when documents are remembered, and finds mistakes in their place', async () => {
    const [first, second] = [await fcd(['check', plain, '--against', guarded, '--profiles', profiles]), await fcd(['check', plain, '--against', guarded, '--profiles', profiles])];
    expect(second).toEqual(first);
    const broken = notesProfiles(NOTES_PROFILE.replace("packageVersions: '*'", "packageVersions: 'no range'"));
    for (let run = 0; run < 2; run += 1) {
      const ran = await fcd(['check', plain, '--against', guarded, '--profiles', broken]);
      expect(ran.stderr).toMatch(/write_note\.yaml:6:\d+/);
      expect(ran.code).toBe(64);
    }
  });
});
