/** Runs work between frames, so that typing does not wait for it. */

/** Milliseconds after which the work runs even if the browser is busy. */
const TIMEOUT = 100;

/** Runs `work` when the browser is idle. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: TIMEOUT });
  else setTimeout(work);
}
