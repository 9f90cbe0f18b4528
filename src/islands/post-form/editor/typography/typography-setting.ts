/** The writer's setting for automatic typographic characters, stored on this device. On by default. */

const KEY = 'common-ink:typography';

/** True if the writer turned the setting off on this page. Used only if the browser has no storage. */
let isOffHere = false;

export function isTypographyOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return !isOffHere;
  }
}

export function setTypographyOn(isOn: boolean): void {
  isOffHere = !isOn;
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
