/** What a verb is given of the process: where to write, what the terminal can show, and where input comes from. */
import type { Style } from '../review/style.js';

/** DESIGN section 14. */
export const EXIT = { fine: 0, finding: 1, undecided: 2, usage: 64, bug: 70 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Io {
  /** Resolves when the text is taken, so that a slow reader is not outrun. */
  out(text: string): Promise<void>;
  err(text: string): void;
  /** For standard output. */
  readonly style: Style;
  readonly env: NodeJS.ProcessEnv;
  readonly workingDirectory: string;
  /** Shows what is being done, on a terminal, once it has taken a second. */
  progress(message: string): void;
  readonly input: AsyncIterable<Uint8Array | string>;
}

const WIDTH_DEFAULT = 100;
const WIDTH_MIN = 40;
const PROGRESS_AFTER_MS = 1000;

export function processIo(): Io & { close(): void } {
  const { stdout, stderr, env } = process;
  const progress = progressLine(stderr);
  return {
    out: (text) => {
      progress.hide();
      return new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    },
    err: (text) => {
      progress.hide();
      stderr.write(text);
    },
    style: { color: wantsColor(stdout.isTTY, env), width: Math.max(WIDTH_MIN, stdout.isTTY ? stdout.columns : (columnsFrom(env) ?? WIDTH_DEFAULT)) },
    env,
    workingDirectory: process.cwd(),
    progress: (message) => progress.show(message),
    input: process.stdin,
    close: () => progress.stop(),
  };
}

function wantsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  // https://no-color.org: present and not empty, whatever its value.
  return isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

function columnsFrom(env: NodeJS.ProcessEnv): number | undefined {
  const columns = Number(env['COLUMNS']);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

interface ProgressLine {
  show(message: string): void;
  hide(): void;
  stop(): void;
}

function progressLine(stream: NodeJS.WriteStream): ProgressLine {
  if (!stream.isTTY) return { show: () => undefined, hide: () => undefined, stop: () => undefined };
  let message = '';
  let shown = false;
  const draw = (): void => {
    stream.write(`\r\u001b[2K${message.slice(0, Math.max(0, stream.columns - 1))}`);
    shown = true;
  };
  const hide = (): void => {
    if (shown) stream.write('\r\u001b[2K');
    shown = false;
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    show: (text) => {
      message = text;
      if (shown) draw();
      else timer ??= setTimeout(draw, PROGRESS_AFTER_MS).unref();
    },
    hide,
    stop: () => {
      clearTimeout(timer);
      hide();
    },
  };
}
