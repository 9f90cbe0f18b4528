/** The steps of a new owner, kept on the device because the first post leads to another page. */

const KEY = 'common-ink:start';

/** Returns the step, from 0; undefined if there is none, or without storage. */
export function stepNow(): number | undefined {
  try {
    const step = localStorage.getItem(KEY);
    return step === null ? undefined : Number(step);
  } catch {
    return undefined;
  }
}

export function goToStep(step: number): void {
  try {
    localStorage.setItem(KEY, `${step}`);
  } catch {
    // Without storage, the steps end with the page.
  }
}

export function endStart(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // There is nothing to remove.
  }
}
