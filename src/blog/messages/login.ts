import de from './de/login.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  forgot: 'Forgot your password?',
  question: 'New here?',
  signUp: 'Sign Up',
} as const;

export const loginPageText = textsOf(en, de);
