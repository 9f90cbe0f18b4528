/** Offers a passkey on the home page once after each sign-in with a password, unless refused on this device. */

const WANTED = 'common-ink:offer-passkey';
const REFUSED = 'common-ink:no-passkey-offer';

export function wantPasskeyOffer(): void {
  try {
    if (localStorage.getItem(REFUSED) === null) sessionStorage.setItem(WANTED, '1');
  } catch {
    // Without storage, no passkey is offered.
  }
}

/** Returns true once for each sign-in with a password. */
export function takePasskeyOffer(): boolean {
  try {
    const isWanted = sessionStorage.getItem(WANTED) !== null;
    sessionStorage.removeItem(WANTED);
    return isWanted;
  } catch {
    return false;
  }
}

export const refusePasskeyOffers = (): void => localStorage.setItem(REFUSED, '1');
