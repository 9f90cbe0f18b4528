import de from './de/sign-in-forms.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
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
} as const;

export const signInFormText = textsOf(en, de);
