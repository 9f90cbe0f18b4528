/** The setup step that a new owner has reached. Kept on the device, because the first post leads to another page. */

const KEY = 'common-ink:start';

/** Returns the step, from 0; undefined after the last one, or without storage. */
export function stepNow(): number | undefined {
  try {
    const step = localStorage.getItem(KEY);
    return step === null ? undefined : Number(step);
  } catch {
    return undefined;
  }
}

/** Stores the step. @param step undefined ends the setup */
export function goToStep(step: number | undefined): void {
  try {
    if (step === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, `${step}`);
  } catch {
    // Without storage, the setup ends when the page is left.
  }
}
