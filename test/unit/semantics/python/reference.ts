/** The reference interpreter, asked for many cases in one process. */
import { spawnSync } from 'node:child_process';

const DRIVER = `
import sys, json, collections
def plain(v):
    if v is None or isinstance(v, (bool, str)) and type(v) in (bool, str): return v
    if type(v) is int: return {"int": str(v)}
    if type(v) is float: return {"float": v.hex()}
    if type(v) is bytes: return {"bytes": v.hex()}
    if type(v) is list: return {"list": [plain(x) for x in v]}
    if type(v) is tuple: return {"tuple": [plain(x) for x in v]}
    if type(v) in (set, frozenset): return {"set": [plain(x) for x in v]}
    if type(v) is dict: return {"dict": [[plain(k), plain(x)] for k, x in v.items()]}
    return {"other": type(v).__name__}
job = json.load(sys.stdin)
out = []
for case in job["cases"]:
    space = {}
    exec(job["programs"][case["program"]], space)
    try:
        out.append({"value": plain(space[case["function"]](*[json.loads(a) for a in case["arguments"]]))})
    except Exception as e:
        out.append({"error": type(e).__name__})
json.dump(out, sys.stdout)
`;

export interface ReferenceCase {
  readonly program: number;
  readonly function: string;
  /** JSON texts. */
  readonly arguments: readonly string[];
}
export type ReferenceResult = { readonly value: unknown } | { readonly error: string };

export const hasReference = spawnSync('python3', ['-c', 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)']).status === 0;

export function askReference(programs: readonly string[], cases: readonly ReferenceCase[], python = 'python3'): ReferenceResult[] {
  const run = spawnSync(python, ['-c', DRIVER], { input: JSON.stringify({ programs, cases }), encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as ReferenceResult[];
}
