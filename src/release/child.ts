/** Runs a program to its end with bounded output, a deadline and cancellation. Arguments are never seen by a shell. */
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { ACQUIRE_TIMEOUT_MS, CHILD_OUTPUT_BYTES_MAX } from '../base/limits.js';
import { isErrnoException, ReleaseError } from './errors.js';

export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly stdoutBytesMax?: number;
  readonly signal?: AbortSignal | undefined;
  /** What to tell the user when the program is not there. */
  readonly missingNext: string;
}

export interface ChildResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** The end of what it wrote, as text. */
  readonly stderr: string;
}

export function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<ChildResult> {
  const stdoutBytesMax = options.stdoutBytesMax ?? CHILD_OUTPUT_BYTES_MAX;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    const stdout: Buffer[] = [];
    let stdoutBytes = 0;
    let stderr = '';
    let failure: ReleaseError | undefined;
    const stop = (error: ReleaseError): void => {
      failure ??= error;
      child.kill('SIGKILL');
    };
    const deadline = setTimeout(() => {
      stop(
        new ReleaseError('registry-unreachable', `${program} did not finish within ${ACQUIRE_TIMEOUT_MS / 1000} s`, {
          next: 'Check the network and the proxy settings, then try again.',
        }),
      );
    }, ACQUIRE_TIMEOUT_MS);
    const onAbort = (): void => {
      stop(new ReleaseError('cancelled', `${program} was cancelled`, { cause: options.signal?.reason }));
    };
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted === true) onAbort();
    child.stdout.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > stdoutBytesMax) stop(new ReleaseError('limit-exceeded', `${program} wrote more than ${stdoutBytesMax} bytes`));
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-CHILD_OUTPUT_BYTES_MAX);
    });
    // The program may end before it has read its input; its exit code tells the story.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.on('error', (cause) => {
      failure ??= isErrnoException(cause, 'ENOENT', 'EACCES')
        ? new ReleaseError('tool-missing', `the program ${program} cannot be run`, { next: options.missingNext, cause })
        : new ReleaseError('tool-missing', `${program}: ${cause.message}`, { next: options.missingNext, cause });
      finish(-1);
    });
    child.on('close', (code) => {
      finish(code ?? -1);
    });
    const finish = (exitCode: number): void => {
      clearTimeout(deadline);
      options.signal?.removeEventListener('abort', onAbort);
      if (failure === undefined) resolve({ exitCode, stdout: Buffer.concat(stdout), stderr });
      else reject(failure);
    };
  });
}
