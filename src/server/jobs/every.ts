/** Longest single timer; longer waits are split, since Node.js timers cannot exceed 24 days. */
const LONGEST_MS = 86_400_000;

export interface RepeatedJob {
  readonly isStopped: boolean;
  /** Reschedules the next run to `ms` milliseconds from now; has no effect while the job runs. */
  wake(ms: number): void;
  /** Stops the job. Resolves once the current run, if any, has finished. */
  stop(): Promise<void>;
}

/** Runs `job` after `ms`, then after each delay in ms that `job` returns; undefined ends it. `job` must not reject. */
export function every(ms: number, job: () => Promise<number | undefined>): RepeatedJob {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  function wake(wait: number): void {
    if (isStopped || running) return;
    clearTimeout(timer);
    const rest = Math.max(0, wait - LONGEST_MS);
    timer = setTimeout(() => (rest > 0 ? wake(rest) : run()), Math.min(wait, LONGEST_MS)).unref();
  }

  function run(): void {
    running = job().then((next) => {
      running = undefined;
      if (next !== undefined) wake(Math.max(0, next));
    });
  }

  wake(ms);
  return {
    wake,
    get isStopped() {
      return isStopped;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
