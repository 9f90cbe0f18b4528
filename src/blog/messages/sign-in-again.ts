import de from './de/sign-in-again.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  why: 'Your session has ended. Your text is still here; sign in to continue.',
  whose: 'This text belongs to {name} ({email}).',
  later: 'Not now',
} as const;

export const signInAgainText = textsOf(en, de);
