import de from './de/sign-up.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
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
  /** Read out by screen readers after the button's label, “Show” or “Hide”. */
  passwords: 'passwords',
  submit: 'Create Account',
  submitting: 'Creating account…',
} as const;

export const signupText = textsOf(en, de);
