/** The main job through the built command, on releases that are folders. */
import { describe, expect, it } from 'vitest';
import { fcd, GUARDED_HELPER, notesProfiles, notesServer } from './fixture.js';

describe('fcd check', () => {
  const profiles = notesProfiles();
  const plain = notesServer();
  const guarded = notesServer({ helper: GUARDED_HELPER, version: '1.1.0' });

  it('finds a guard added narrower, shows both lines, and ends with 0', async () => {
    const ran = await fcd(['check', guarded, '--against', plain, '--profiles', profiles]);
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('args.title starts with "-"');
    expect(ran.stdout).toMatch(/narrow/);
    expect(ran.stdout).toContain('fixture_notes/server.py:');
    expect(ran.code).toBe(0);
  });

  it('finds the guard dropped a change, with the lines of both releases, and ends with 1', async () => {
    const ran = await fcd(['check', plain, '--against', guarded, '--profiles', profiles]);
    expect(ran.stdout).toContain('What makes the change:');
    expect(ran.stdout).toContain('notestore.put(title, arguments.get("text", ""))');
    expect(ran.code).toBe(1);
  });

  it('finds a release equal to itself by definition, and by evaluation', async () => {
    const byDefinition = await fcd(['check', plain, '--against', plain, '--profiles', profiles]);
    expect(byDefinition.stdout).toContain('same files, inputs and dependencies');
    expect(byDefinition.code).toBe(0);
    const evaluated = await fcd(['check', plain, '--against', plain, '--profiles', profiles, '--no-shortcut']);
    expect(evaluated.stdout).toContain('compatible (1 keep)');
    expect(evaluated.code).toBe(0);
  });
});
