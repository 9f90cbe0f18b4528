import * as z from 'zod/mini';
import { signInFormText } from '../messages/sign-in-forms.ts';
import { PASSKEY_NAME_LENGTH } from '../passkeys.ts';
import { emailField, nameField, passwordsMatch, requiredPassword, signupPassword } from './sign-in-forms.ts';

export const nameSchema = z.object({ name: nameField });
export type NameForm = z.infer<typeof nameSchema>;

export const emailSchema = z.object({ email: emailField, password: requiredPassword });
export type EmailForm = z.infer<typeof emailSchema>;

export const forgotSchema = z.object({ email: emailField });

export const resetSchema = z.object(signupPassword).check(passwordsMatch);

export const passwordSchema = z.object({ oldPassword: requiredPassword, ...signupPassword }).check(passwordsMatch);
export type PasswordForm = z.infer<typeof passwordSchema>;

const passkeyName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, signInFormText.nameRequired),
    z.maxLength(PASSKEY_NAME_LENGTH, signInFormText.nameTooLong),
  );

export const passkeyFormSchema = (needsPassword: boolean) =>
  z.object({ name: passkeyName, password: needsPassword ? requiredPassword : z.string() });
