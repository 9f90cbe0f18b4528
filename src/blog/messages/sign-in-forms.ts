/** What the forms for signing in and up say of faults (spec 5), in every language. Apart from the other catalogues, because few pages need it. */

import { textsOf } from '../messages.ts';

const en = {
  emailRequired: 'Email is required',
  emailInvalid: 'Enter a valid email',
  passwordRequired: 'Password is required',
  nameRequired: 'Name is required',
  nameTooLong: 'Name too long',
  passwordTooShort: 'Password must be at least 6 characters long',
  passwordTooLong: 'Password must be at most 64 characters long',
  passwordUppercase: 'Add at least one uppercase letter',
  passwordLowercase: 'Add at least one lowercase letter',
  passwordNumber: 'Add at least one number',
  passwordSpecial: 'Add at least one special character',
  confirmRequired: 'Please confirm your password',
  confirmDiffers: 'Passwords do not match',
};

const de: typeof en = {
  emailRequired: 'Bitte eine E-Mail-Adresse angeben',
  emailInvalid: 'Bitte eine gültige E-Mail-Adresse angeben',
  passwordRequired: 'Bitte ein Passwort angeben',
  nameRequired: 'Bitte einen Namen angeben',
  nameTooLong: 'Der Name ist zu lang',
  passwordTooShort: 'Das Passwort muss mindestens 6 Zeichen haben',
  passwordTooLong: 'Das Passwort darf höchstens 64 Zeichen haben',
  passwordUppercase: 'Mindestens einen Großbuchstaben verwenden',
  passwordLowercase: 'Mindestens einen Kleinbuchstaben verwenden',
  passwordNumber: 'Mindestens eine Ziffer verwenden',
  passwordSpecial: 'Mindestens ein Sonderzeichen verwenden',
  confirmRequired: 'Bitte das Passwort wiederholen',
  confirmDiffers: 'Die Passwörter stimmen nicht überein',
};

export const { signInFormText } = textsOf({ en: { signInFormText: en }, de: { signInFormText: de } });
