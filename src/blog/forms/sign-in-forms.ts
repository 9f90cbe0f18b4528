/** The schemas of the forms for signing in and signing up, with their messages (spec 5). */

import * as z from 'zod/mini';
import { signInFormText } from '../messages/sign-in-forms.ts';

export const NAME_MAX = 80;
const PASSWORD_MIN = 6;
const PASSWORD_MAX = 64;

// The fields' checks must not set `abort`, or Zod would not compare the passwords while a field is invalid.
export const emailField = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, signInFormText.emailRequired),
  z.refine((text) => text === '' || z.regexes.email.test(text), signInFormText.emailInvalid),
);

const newPassword = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN, signInFormText.passwordTooShort),
    z.maxLength(PASSWORD_MAX, signInFormText.passwordTooLong),
    z.regex(/\p{Lu}/u, signInFormText.passwordUppercase),
    z.regex(/\p{Ll}/u, signInFormText.passwordLowercase),
    z.regex(/\p{Nd}/u, signInFormText.passwordNumber),
    z.regex(/[^\p{L}\p{N}]/u, signInFormText.passwordSpecial),
  );

export const nameField = z
  .string()
  .check(
    z.overwrite(plainName),
    z.minLength(1, signInFormText.nameRequired),
    z.maxLength(NAME_MAX, signInFormText.nameTooLong),
  );

export const requiredPassword = z.string().check(z.minLength(1, signInFormText.passwordRequired));

export const signupPassword = {
  password: newPassword,
  confirmPassword: z.string().check(z.minLength(1, signInFormText.confirmRequired)),
};

export const passwordsMatch = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.password === form.confirmPassword,
  {
    path: ['confirmPassword'],
    error: signInFormText.confirmDiffers,
    // Also runs if another field is invalid, so that all errors are shown at once.
    when: ({ value }) => hasBothPasswords(value),
  },
);

export const loginSchema = z.object({ email: emailField, password: requiredPassword });
export type LoginForm = z.infer<typeof loginSchema>;

export const signupSchema = z.object({ name: nameField, email: emailField, ...signupPassword }).check(passwordsMatch);
export type SignupForm = z.infer<typeof signupSchema>;

/** A sign-up without a password. Ignores passwords already typed into the form. */
export const passkeySignupSchema = z.object({ name: nameField, email: emailField });
export type PasskeySignupForm = z.infer<typeof passkeySignupSchema>;

function plainName(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function hasBothPasswords(value: unknown): boolean {
  const form = value as { password?: unknown; confirmPassword?: unknown } | null;
  return typeof form?.password === 'string' && typeof form.confirmPassword === 'string' && form.confirmPassword !== '';
}
