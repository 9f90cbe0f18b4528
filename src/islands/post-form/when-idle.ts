/** Maximum delay, after which the work runs even if the browser is busy. */
const TIMEOUT_MS = 100;

/** Runs `work` when the browser is idle, so that typing is not delayed. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: TIMEOUT_MS });
  else setTimeout(work);
}
