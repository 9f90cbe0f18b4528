import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { ImportEntry } from '#blog/import.ts';
import { startScript } from '../jobs/start-script.ts';

/** Milliseconds allowed for finishing the current post after an interrupt; its pictures may still be downloading. */
const PATIENCE = 60_000;

const INTERRUPT_EVERY_MS = 1000;

/** V8 flags that save memory, the same as for `import` in `scripts/bootstrap.mjs`. */
const FLAGS = [
  '--max-semi-space-size=2',
  '--memory-saver-mode',
  '--no-memory-pool',
  '--no-maglev',
  '--no-concurrent-recompilation',
];

/** The message that the import script sends after it has read the entire source, even if parts failed. */
export const READ = 'read';

export interface ImportMessage {
  readonly done: number;
  readonly all: number;
  readonly entry: ImportEntry & { readonly pictures?: number };
}

export type ImportProcess = ReturnType<typeof runImport>;

export interface ImportProcessOptions {
  readonly script: string;
  readonly parameters: readonly string[];
  readonly report: string;
  readonly onMessage: (message: ImportMessage) => void;
}

export function runImport(options: ImportProcessOptions) {
  let child: ChildProcess | undefined;
  let isCancelled = false;
  let killer: NodeJS.Timeout | undefined;
  let interrupting: NodeJS.Timeout | undefined;
  const ended = run();

  async function run(): Promise<string | undefined> {
    const report = await open(options.report, 'w', 0o600);
    try {
      if (isCancelled) return undefined;
      const parameters = [...FLAGS, options.script, ...options.parameters];
      const script = startScript(parameters, ['ignore', report.fd, 'pipe', 'ipc']);
      child = script.child;
      let isRead = false;
      child.on('message', (message) => {
        if (message === READ) isRead = true;
        else options.onMessage(message as ImportMessage);
      });
      await script.ended;
      return isRead || isCancelled ? undefined : script.output() || 'The import stopped before it finished.';
    } finally {
      clearTimeout(killer);
      clearInterval(interrupting);
      await report.close();
    }
  }

  return {
    /** Resolves to undefined if the import read the entire source or was cancelled, else to its error message. */
    ended,
    cancel(): void {
      if (isCancelled) return;
      isCancelled = true;
      // Repeats the signal that stops the processing of the current text (`transfer/time-limit.ts`), because a signal
      // that arrives between two texts may be lost.
      const interrupt = () => child?.kill('SIGINT');
      interrupt();
      interrupting = setInterval(interrupt, INTERRUPT_EVERY_MS).unref();
      killer = setTimeout(() => child?.kill('SIGKILL'), PATIENCE).unref();
    },
  };
}
