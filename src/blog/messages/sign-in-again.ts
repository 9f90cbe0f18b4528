/** What the form says to whose session has ended. Apart from the other catalogues, because it is loaded only then. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  why: 'Your session has ended. Your words are still here; sign in to go on with them.',
  whose: (name: string, email: string) => `These are the words of ${name} (${email}).`,
  later: 'Not now',
};

const de: Translation<typeof en> = {
  why: 'Die Anmeldung ist abgelaufen. Der Text ist noch hier; nach dem Anmelden geht es mit ihm weiter.',
  whose: (name, email) => `Dieser Text gehört ${name} (${email}).`,
  later: 'Jetzt nicht',
};

export const signInAgainText = inLanguage(en, de);
