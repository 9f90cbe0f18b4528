/** The new owner's current setup step. Stored on the device, because the page reloads to show a new name and look. */

import { store, stored } from '#stores/web-storage.ts';

const KEY = 'common-ink:setup';

/** Returns the step, counted from 0; undefined if no setup is in progress or the browser has no storage. */
export function stepNow(): number | undefined {
  const step = stored('localStorage', KEY);
  return step === null ? undefined : Number(step);
}

/** Stores the step; undefined ends the setup. */
export const goToStep = (step: number | undefined): void =>
  store('localStorage', KEY, step === undefined ? null : `${step}`);
