/** Runs `npm run sync` on a folder on the server when a request asks for it, one run at a time. */
import type { SyncRun } from '#api/locals.ts';
import { startScript } from './start-script.ts';

/** @param script path of `scripts/sync.ts` */
export function openSync(script: string, directory: string) {
  let last: Promise<SyncRun> | undefined;
  let next: Promise<SyncRun> | undefined;

  async function run(): Promise<SyncRun> {
    const { ended, output } = startScript([script, directory], ['ignore', 'pipe', 'pipe'], 0);
    return { isEqual: (await ended) === 0, output: output() };
  }

  /** Requests that arrive during a run share the next run, so that their changes are included. */
  return (): Promise<SyncRun> => {
    next ??= (last ?? Promise.resolve()).then(() => {
      next = undefined;
      return run();
    });
    last = next;
    return next;
  };
}
