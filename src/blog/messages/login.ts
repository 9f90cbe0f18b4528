/** What the login page says beside its form. Apart from the other catalogues, because no other page needs it. */

import { textsOf } from '../messages.ts';
import type { Translation } from './lazy-messages.ts';

const en = {
  forgot: 'Forgot your password?',
  question: 'New here?',
  signUp: 'Sign Up',
};

const de: Translation<typeof en> = {
  forgot: 'Passwort vergessen?',
  question: 'Neu hier?',
  signUp: 'Registrieren',
};

export const { loginPageText } = textsOf({ en: { loginPageText: en }, de: { loginPageText: de } });
