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
  const ended = run();

  async function run(): Promise<string | undefined> {
    const report = await open(options.report, 'w', 0o600);
    try {
      if (isCancelled) return undefined;
      child = spawn(process.execPath, [options.script, ...options.parameters], {
        stdio: ['ignore', report.fd, 'pipe', 'ipc'],
      });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said = (said + chunk).slice(-SAID);
      });
      child.on('message', (message) => options.onMessage(message as ImportMessage));
      try {
        if (child.pid !== undefined) setPriority(child.pid, NICE);
      } catch {
        // It has ended already, or may not be told.
      }
      const code = await once(child, 'close').then(
        ([exit]) => exit as number | null,
        () => null,
      );
      // 1 without a word on the error output: something was lost, and the report says what.
      return code === 0 || (code === 1 && said.trim() === '') || isCancelled ? undefined : said.trim() || 'It ended.';
    } finally {
      clearTimeout(killer);
      await report.close();
    }
  }

  return {
    ended,
    cancel() {
      if (isCancelled) return;
      isCancelled = true;
      child?.kill('SIGTERM');
      killer = setTimeout(() => child?.kill('SIGKILL'), PATIENCE).unref();
    },
  };
}
