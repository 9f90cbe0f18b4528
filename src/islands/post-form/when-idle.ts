/** Work that no letter waits for. */

/** Milliseconds. */
const PATIENCE = 100;

/** Does `work` between frames: once what was typed is painted, and soon. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: PATIENCE });
  else setTimeout(work);
}
