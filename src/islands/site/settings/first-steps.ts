/** The new owner's current setup step. Stored on the device, because the page reloads to show a new name and look. */

const KEY = 'common-ink:setup';

/** Returns the step, counted from 0; undefined if no setup is in progress or the browser has no storage. */
export function stepNow(): number | undefined {
  try {
    const step = localStorage.getItem(KEY);
    return step === null ? undefined : Number(step);
  } catch {
    return undefined;
  }
}

/** Stores the step; undefined ends the setup. */
export function goToStep(step: number | undefined): void {
  try {
    if (step === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, `${step}`);
  } catch {
    // Without storage, the setup ends when the page is left.
  }
}
