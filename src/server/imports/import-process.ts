/** Runs `npm run import` on an uploaded file, in a process of its own: readers notice neither its work nor its memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { ImportEntry } from '#blog/import.ts';

/** Readers go first. */
const NICE = 10;
/** Characters kept of what the command said of a failure. */
const SAID = 2000;
/** Milliseconds for the post that is being written when the run is ended: its pictures may be fetched. */
const PATIENCE = 60_000;

const INTERRUPT_EVERY_MS = 1000;

/** As `scripts/bootstrap.mjs` starts it: it takes less memory. */
const FLAGS = [
  '--max-semi-space-size=2',
  '--memory-saver-mode',
  '--no-memory-pool',
  '--no-maglev',
  '--no-concurrent-recompilation',
];

/** What the command tells when it has come to its end, whatever was lost on the way. */
export const READ = 'read';

/** What the command tells after each entry. */
export interface ImportMessage {
  readonly done: number;
  readonly all: number;
  readonly entry: ImportEntry & { readonly pictures?: number };
}

export interface ImportProcess {
  /** Undefined when it read the source to its end or was ended, else what it said of the failure. */
  readonly ended: Promise<string | undefined>;
  /** Ends it after the post that is being written. */
  cancel(): void;
}

export interface ImportProcessOptions {
  /** `scripts/import.ts`. */
  readonly script: string;
  readonly parameters: readonly string[];
  /** Gets what the command prints. */
  readonly report: string;
  readonly onMessage: (message: ImportMessage) => void;
}

export function runImport(options: ImportProcessOptions): ImportProcess {
  let child: ChildProcess | undefined;
  let isCancelled = false;
  let killer: NodeJS.Timeout | undefined;
  let interrupting: NodeJS.Timeout | undefined;
  const ended = run();

  async function run(): Promise<string | undefined> {
    const report = await open(options.report, 'w', 0o600);
    try {
      if (isCancelled) return undefined;
      child = spawn(process.execPath, [...FLAGS, options.script, ...options.parameters], {
        stdio: ['ignore', report.fd, 'pipe', 'ipc'],
      });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said = (said + chunk).slice(-SAID);
      });
      let isRead = false;
      child.on('message', (message) => {
        if (message === READ) isRead = true;
        else options.onMessage(message as ImportMessage);
      });
      try {
        if (child.pid !== undefined) setPriority(child.pid, NICE);
      } catch {
        // It has ended already, or may not be told.
      }
      // A process that could not be started closes, too.
      child.on('error', (error) => {
        said = error.message;
      });
      await once(child, 'close').catch(() => undefined);
      return isRead || isCancelled ? undefined : said.trim() || 'It ended before it was through.';
    } finally {
      clearTimeout(killer);
      clearInterval(interrupting);
      await report.close();
    }
  }

  return {
    ended,
    cancel() {
      if (isCancelled) return;
      isCancelled = true;
      // It interrupts the text that is being read (`transfer/time-limit.ts`); between two texts a signal may be lost.
      const interrupt = () => child?.kill('SIGINT');
      interrupt();
      interrupting = setInterval(interrupt, INTERRUPT_EVERY_MS).unref();
      killer = setTimeout(() => child?.kill('SIGKILL'), PATIENCE).unref();
    },
  };
}
