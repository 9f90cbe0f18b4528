/** The writer's switch for typographic signs, remembered on this device. On by default. */

const KEY = 'common-ink:typography';

/** The choice on this page, where the browser keeps nothing. */
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
    // The choice lasts as long as the page.
  }
}
