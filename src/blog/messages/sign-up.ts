/** What the form of a new account says, in every language. Apart from the other catalogues, because few pages need it. */

import { textsOf } from '../messages.ts';

const en = {
  title: 'Create your account',
  question: 'Already have an account?',
  signIn: 'Sign in',
  name: 'Full name',
  namePlaceholder: 'Mary Shelley',
  email: 'Email',
  password: 'Password',
  passwordPlaceholder: 'Minimum 6 characters',
  passwordHelp: 'With an uppercase and a lowercase letter, a number and a special character.',
  confirmPassword: 'Confirm password',
  show: 'Show',
  hide: 'Hide',
  /** After “Show” and “Hide”, for those who do not see what they stand beside. */
  passwords: 'passwords',
  submit: 'Create Account',
  submitting: 'Creating account…',
};

const de: typeof en = {
  title: 'Lege ein Konto an',
  question: 'Schon ein Konto?',
  signIn: 'Anmelden',
  name: 'Vollständiger Name',
  namePlaceholder: 'Annette von Droste',
  email: 'E-Mail',
  password: 'Passwort',
  passwordPlaceholder: 'Mindestens 6 Zeichen',
  passwordHelp: 'Mit Groß- und Kleinbuchstaben, einer Ziffer und einem Sonderzeichen.',
  confirmPassword: 'Passwort wiederholen',
  show: 'Anzeigen',
  hide: 'Verbergen',
  passwords: 'der Passwörter',
  submit: 'Konto anlegen',
  submitting: 'Konto wird angelegt …',
};

export const { signupText } = textsOf({ en: { signupText: en }, de: { signupText: de } });
