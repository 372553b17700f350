/**
 * Reaches Python package indexes through the user's own pip: its configuration files and variables, proxies, certificates,
 * `.netrc`, keyring and trusted hosts apply as they do to `pip install`. pip is used as an HTTP client only (pages and
 * files by GET); nothing of a package is built, installed or imported, since that would run the release's code.
 *
 * The program below is given to `python3 -c` with its request on standard input. It runs in an empty folder, so that
 * nothing beside the user's files can stand in for a module.
 */
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { ARTIFACT_BYTES_MAX, INDEX_PAGE_BYTES_MAX } from '../base/limits.js';
import { parseJsonStrict } from '../base/parse-json.js';
import { runChild } from './child.js';
import { redactUrls, ReleaseError } from './errors.js';

const PROGRAM = `
import json, sys
from urllib.parse import quote, urljoin

request = json.load(sys.stdin)
try:
    from pip._internal.commands import create_command
    from pip._internal.models.link import Link
    command = create_command("download")
    options, _ = command.parse_args(["--no-input", "--no-cache-dir", "--disable-pip-version-check", "fcd"])
except Exception as error:
    json.dump({"unusable": repr(error)}, sys.stdout)
    sys.exit(0)

def get(session, url, headers, path, limit):
    if not session.is_secure_origin(Link(url)):
        return {"error": "the address is neither https nor a trusted host of pip"}
    try:
        response = session.get(url, headers=headers, stream=True)
        with response:
            if response.status_code != 200:
                return {"status": response.status_code}
            size = 0
            with open(path, "xb") as out:
                for chunk in response.iter_content(1 << 16):
                    size += len(chunk)
                    if size > limit:
                        return {"tooLarge": True}
                    out.write(chunk)
            return {"status": 200, "type": response.headers.get("Content-Type", ""), "url": response.url}
    except Exception as error:
        return {"error": str(error)}

with command.main_context():
    session = command.get_default_session(options)
    answers = []
    if "project" in request:
        indexes = [] if options.no_index else [options.index_url, *options.extra_index_urls]
        for number, index in enumerate(indexes):
            url = urljoin(index.rstrip("/") + "/", quote(request["project"]) + "/")
            path = request["folder"] + "/" + str(number)
            headers = {"Accept": request["accept"], "Cache-Control": "max-age=0"}
            answers.append({"file": path, **get(session, url, headers, path, request["limit"])})
    else:
        headers = {"Accept-Encoding": "identity"}
        answers.append(get(session, request["url"], headers, request["file"], request["limit"]))
    json.dump({"answers": answers}, sys.stdout)
`;

/** PEP 691, with the HTML of PEP 503 for older indexes. */
const ACCEPT_INDEX = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

export interface IndexPage {
  /** Where the body was written. */
  readonly file: string;
  readonly contentType: string;
  /** After redirects; relative links are relative to this. */
  readonly url: string;
}

export interface PipOptions {
  readonly env: NodeJS.ProcessEnv;
  /** An empty folder of ours. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** The project's page of every configured index that has one, in pip's order. Empty: none has it. */
export async function fetchIndexPages(project: string, options: PipOptions): Promise<IndexPage[]> {
  const answers = await askPip({ project, folder: options.folder, accept: ACCEPT_INDEX, limit: INDEX_PAGE_BYTES_MAX }, options);
  if (answers.length === 0) {
    throw new ReleaseError('registry-refused', 'pip is configured to use no package index', {
      next: 'Remove no-index from the configuration of pip (PIP_NO_INDEX, pip.conf), or use --offline.',
    });
  }
  const pages: IndexPage[] = [];
  for (const answer of answers) {
    if (answer['status'] === 404) continue;
    checkAnswer(answer, `the package index, asked for ${project},`);
    pages.push({ file: text(answer['file']), contentType: text(answer['type']), url: text(answer['url']) });
  }
  return pages;
}

export async function downloadFile(url: string, name: string, file: string, options: PipOptions): Promise<void> {
  const [answer] = await askPip({ url, file, limit: ARTIFACT_BYTES_MAX }, options);
  checkAnswer(answer ?? {}, `the package index, asked for ${name},`);
}

function checkAnswer(answer: JsonObject, who: string): void {
  if (answer['status'] === 200) return;
  if (answer['tooLarge'] === true)
    throw new ReleaseError('limit-exceeded', `${who} sent more than is ever read`, { next: 'Name another artifact of the release.' });
  if (answer['status'] === 401 || answer['status'] === 403) {
    throw new ReleaseError('registry-refused', `${who} wants credentials (HTTP ${answer['status']})`, {
      next: 'Give pip the credentials (index-url in pip.conf, .netrc or keyring) and check them with "pip download".',
    });
  }
  if (typeof answer['status'] === 'number') {
    throw new ReleaseError('registry-refused', `${who} answered with HTTP ${answer['status']}`, {
      next: 'Try again later, or use --offline if the release is cached.',
    });
  }
  throw new ReleaseError('registry-unreachable', `${who} cannot be reached: ${redactUrls(text(answer['error']))}`, {
    next: 'Check the network and the configuration of pip (index-url, proxy, cert), or use --offline if the release is cached.',
  });
}

async function askPip(request: JsonObject, options: PipOptions): Promise<JsonObject[]> {
  const python = pythonProgram(options.env);
  const missingNext = 'Install Python 3 with pip, or set FCD_PYTHON to a Python that has it.';
  const result = await runChild(python, ['-c', PROGRAM], {
    cwd: options.folder,
    env: { ...options.env, PYTHONSAFEPATH: '1', PYTHONIOENCODING: 'utf-8' },
    input: JSON.stringify(request),
    signal: options.signal,
    missingNext,
  });
  const detail = redactUrls(result.stderr.trim().split('\n').slice(-3).join('\n'));
  if (result.exitCode !== 0) throw new ReleaseError('tool-missing', `pip of ${python} failed: ${detail}`, { next: missingNext });
  const reply = parseJsonStrict(result.stdout.toString('utf8'), { file: 'reply of pip' });
  if (!isObject(reply)) throw new ReleaseError('tool-missing', `pip of ${python} gave no answer: ${detail}`, { next: missingNext });
  if (typeof reply['unusable'] === 'string') throw new ReleaseError('tool-missing', `${python} has no usable pip: ${reply['unusable']}`, { next: missingNext });
  const answers = reply['answers'];
  return Array.isArray(answers) ? (answers as readonly JsonValue[]).filter(isObject) : [];
}

/** The Python whose pip is asked. */
export function pythonProgram(env: NodeJS.ProcessEnv): string {
  const chosen = env['FCD_PYTHON'];
  return chosen === undefined || chosen === '' ? 'python3' : chosen;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
