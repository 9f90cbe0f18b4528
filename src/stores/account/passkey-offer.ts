/** Offers a passkey on the home page once after each sign-in with a password, unless declined on this device. */

import { store, stored } from '../web-storage.ts';

const WANTED = 'common-ink:offer-passkey';
const REFUSED = 'common-ink:no-passkey-offer';

export function wantPasskeyOffer(): void {
  if (stored('localStorage', REFUSED) === null) store('sessionStorage', WANTED, '1');
}

/** Returns true if the offer is due, then counts it as shown. */
export function takePasskeyOffer(): boolean {
  const isWanted = stored('sessionStorage', WANTED) !== null;
  store('sessionStorage', WANTED, null);
  return isWanted;
}

export const refusePasskeyOffers = (): void => store('localStorage', REFUSED, '1');
