import * as z from 'zod/mini';
import { emailField, nameField, passwordsMatch, requiredPassword, signupPassword } from './sign-in-forms.ts';

export const nameSchema = z.object({ name: nameField });
export type NameForm = z.infer<typeof nameSchema>;

export const emailSchema = z.object({ email: emailField, password: requiredPassword });
export type EmailForm = z.infer<typeof emailSchema>;

export const forgotSchema = z.object({ email: emailField });

export const resetSchema = z.object(signupPassword).check(passwordsMatch);

export const passwordSchema = z.object({ oldPassword: requiredPassword, ...signupPassword }).check(passwordsMatch);
export type PasswordForm = z.infer<typeof passwordSchema>;
