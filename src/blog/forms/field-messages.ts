import type * as z from 'zod/mini';

/** Returns the first message of each invalid field, keyed by the field's name; empty if `form` is valid. */
export function fieldMessages(schema: z.ZodMiniType, form: unknown): Record<string, string> {
  const result = schema.safeParse(form);
  const messages: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) messages[issue.path.join('.')] ??= issue.message;
  return messages;
}
