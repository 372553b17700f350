import { describe, expect, it } from 'vitest';
import { loadInventory } from '../../../src/profile/load.js';

const GIT = `inventory: gitpython
language: python
package: pkg:pypi/gitpython      # absent for a standard library
modules: [git, git.exc]
aliases: { "py:git#BadName": "py:git.exc#BadName" }
classes: { "py:git.exc#GitCommandError": ["py:git.exc#CommandError"] }
constants: { "py:git#NULL_TREE": '"null-tree"' }
entries:
  - callee: py:git#Repo.rev_parse
    parameters: "rev"
    note: why
    forms:
      - id: search
        versions: "<3.1.49"
        when: rev.contains("^{/")
        model: guard
        throws: [{ type: py:git.exc#BadName, when: "true" }]
      - id: plain
        model: observes
        resource: '["repository", self]'
        type: py:git.objects#Object
        throws: [{ type: py:git.exc#BadName }]
  - callee: py:git#Repo.git.diff
    parameters: "*words, **options"
    forms:
      - id: read
        model: effect
        operation: git.read
        baseline: true
        dimensions: { repository: self, selection: { value: flatten(words), exact: true } }
        resource: '["repository", self]'
        refuses: [{ as: { callee: py:git#Repo.rev_parse, arguments: [self, "words[0]"] } }]
        type: str
relations:
  - id: resolve-opens
    reason: because
    if: { callee: py:pathlib#Path.resolve, arguments: [p] }
    implies: { callee: py:git#Repo, arguments: [p] }
`;

describe('loadInventory', () => {
  it('reads the shorthand form', () => {
    const { inventory } = loadInventory({ file: 'gitpython.yaml', text: GIT });
    expect(inventory.entries.size).toBe(2);
    expect(inventory).toMatchObject({ id: 'gitpython', language: 'python', package: 'pkg:pypi/gitpython', modules: ['git', 'git.exc'] });
  });
});
