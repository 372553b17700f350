/** A small tool server and its profile, written into a folder of the test; and the command, run as users run it. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

export const ROOT = join(import.meta.dirname, '../..');
export const FCD = join(ROOT, 'bin/fcd.js');

const folders: string[] = [];

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fcd-e2e-'));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly nodeArguments?: readonly string[];
}

export function fcd(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: '1', COLUMNS: '100', FCD_CACHE: join(folders[0] ?? tmpdir(), 'cache'), ...options.env };
    const child = spawn(process.execPath, [...(options.nodeArguments ?? []), FCD, ...args], { cwd: options.cwd ?? ROOT, env });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
    child.stdin.end(options.input ?? '');
  });
}

export interface NotesServer {
  /** Body of the helper that the tool calls, indented by four spaces. */
  readonly helper?: string;
  readonly version?: string;
  /** More top-level code of the handler's module. */
  readonly extra?: string;
  readonly name?: string;
}

export const PLAIN_HELPER = `    title = arguments["title"]
    notestore.put(title, arguments.get("text", ""))
    return "written"
`;
export const GUARDED_HELPER = `    title = arguments["title"]
    if title.startswith("-"):
        raise ValueError("a title does not begin with a dash")
    notestore.put(title, arguments.get("text", ""))
    return "written"
`;

/** A release as a folder. */
export function notesServer({ helper = PLAIN_HELPER, version = '1.0.0', extra = '', name = 'fixture-notes' }: NotesServer = {}): string {
  return writeFiles(scratchFolder(), {
    'pyproject.toml': `[project]\nname = "${name}"\nversion = "${version}"\ndependencies = ["mcp>=1.0"]\n`,
    'requirements.txt': 'mcp==1.2.0\n',
    'fixture_notes/__init__.py': '',
    'fixture_notes/server.py': `import notestore
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import TextContent, Tool

${extra}
def write_note(arguments):
${helper}

async def serve() -> None:
    server = Server("notes")

    @server.list_tools()
    async def list_tools():
        return [Tool(name="write_note", description="Writes a note", inputSchema={"type": "object"})]

    @server.call_tool()
    async def call_tool(name, arguments):
        if name == "write_note":
            return [TextContent(type="text", text=write_note(arguments))]
        raise ValueError("there is no such tool")

    options = server.create_initialization_options()
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, options)
`,
  });
}

export const NOTES_PROFILE = `# Writes a note to a store.
id: notes/write_note
version: 1
tool: write_note
package: pkg:pypi/fixture-notes
packageVersions: '*'
language: python
entry:
  - function: fixture_notes.server#serve
arguments:
  - { name: title, types: [string], required: true }
  - { name: text, types: [string] }
inventories: [python-builtins, python-stdlib, python-mcp-sdk]
entries:
  - callee: py:notestore#put
    parameters: 'title, text'
    forms:
      - { id: put, model: effect, operation: notes.write, dimensions: { title: title, text: text }, type: none, throws: never }
operations:
  notes.write:
    description: Writes a note, over one of the same title.
    dimensions: { title: {}, text: {} }
reviewers: [fixture]
`;

export function notesProfiles(profile = NOTES_PROFILE): string {
  return writeFiles(scratchFolder(), { 'notes/write_note.yaml': profile });
}
