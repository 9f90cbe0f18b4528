/** What the forms accept, with the words for everything they do not (spec 5). Shared by islands, API and tests. */

// The form that a bundler can take apart: the writer's browser gets the checks that are used here, and no others.
import * as z from 'zod/mini';
import { MOST_TAGS, tagsIn } from './content/markup-limit.ts';
import { formText } from './messages.ts';
import { POST_FIELDS, POST_STATUSES } from './post.ts';
import { hasPassed, isBackwards } from './schedule/hours.ts';
import { slugSchema } from './slug-field.ts';

export const NAME_MAX = 80;
const PASSWORD_MIN = 6;
const PASSWORD_MAX = 64;
/** Longest title in characters. */
export const TITLE_MAX = POST_FIELDS.title.size;
/** Longest content in characters of HTML. */
export const CONTENT_MAX = POST_FIELDS.content.size;

// No check aborts: an aborted field would keep the comparison of the passwords from running.
export const emailField = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, formText.emailRequired),
  z.refine((text) => text === '' || z.regexes.email.test(text), formText.emailInvalid),
);

/** Sign-up's password. All broken rules are reported, in the order of the spec. */
const newPassword = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN, formText.passwordTooShort),
    z.maxLength(PASSWORD_MAX, formText.passwordTooLong),
    z.regex(/\p{Lu}/u, formText.passwordUppercase),
    z.regex(/\p{Ll}/u, formText.passwordLowercase),
    z.regex(/\p{Nd}/u, formText.passwordNumber),
    z.regex(/[^\p{L}\p{N}]/u, formText.passwordSpecial),
  );

export const nameField = z
  .string()
  .check(z.overwrite(plainName), z.minLength(1, formText.nameRequired), z.maxLength(NAME_MAX, formText.nameTooLong));

/** The password of an account that there is. */
export const requiredPassword = z.string().check(z.minLength(1, formText.passwordRequired));

/** A new password, typed twice; `passwordsMatch` compares the two. */
export const signupPassword = {
  password: newPassword,
  confirmPassword: z.string().check(z.minLength(1, formText.confirmRequired)),
};

export const passwordsMatch = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.password === form.confirmPassword,
  {
    path: ['confirmPassword'],
    error: formText.confirmDiffers,
    // Also when another field is at fault: the writer sees all faults at once.
    when: ({ value }) => hasBothPasswords(value),
  },
);

export const loginSchema = z.object({ email: emailField, password: requiredPassword });
export type LoginForm = z.infer<typeof loginSchema>;

export const signupSchema = z.object({ name: nameField, email: emailField, ...signupPassword }).check(passwordsMatch);
export type SignupForm = z.infer<typeof signupSchema>;

/** The specified fields of the post form and its hours, without its picture, which `imageFault` checks by content. */
export const postSchema = z
  .object({
    publishAt: z.optional(z.string()),
    unpublishAt: z.optional(z.string()),
    title: z.string().check(
      z.trim(),
      z.minLength(1, formText.titleRequired),
      z.maxLength(TITLE_MAX, {
        error: (issue) => formText.titleTooLong(String(issue.input).length, TITLE_MAX),
      }),
    ),
    slug: slugSchema,
    content: z.string().check(
      z.maxLength(CONTENT_MAX, {
        error: (issue) => formText.contentTooLong(String(issue.input).length, CONTENT_MAX),
      }),
      z.refine((html) => tagsIn(html) <= MOST_TAGS, {
        error: (issue) => formText.contentTooMarked(Math.ceil(tagsIn(String(issue.input)) / 2), MOST_TAGS / 2),
      }),
    ),
    status: z.enum(POST_STATUSES, formText.statusRequired),
  })
  .check(
    z.refine((form) => !hasPassed(form, 'publishAt'), { path: ['publishAt'], error: formText.hourPassed }),
    z.refine((form) => !hasPassed(form, 'unpublishAt'), { path: ['unpublishAt'], error: formText.hourPassed }),
    z.refine((form) => !isBackwards(form), { path: ['unpublishAt'], error: formText.hoursBackwards }),
  );
export type PostForm = z.infer<typeof postSchema>;

/** The first message of each faulty field, by field name: what a form shows. Empty when `form` is right. */
export function fieldMessages(schema: z.ZodMiniType, form: unknown): Record<string, string> {
  const result = schema.safeParse(form);
  const messages: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) messages[issue.path.join('.')] ??= issue.message;
  return messages;
}

/** A name without tags and with single spaces. */
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
