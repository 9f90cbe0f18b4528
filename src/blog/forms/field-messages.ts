/** What a form shows beside its fields. Apart from the schemas, which a form may load later. */

import type * as z from 'zod/mini';

/** The first message of each faulty field, by field name: what a form shows. Empty when `form` is right. */
export function fieldMessages(schema: z.ZodMiniType, form: unknown): Record<string, string> {
  const result = schema.safeParse(form);
  const messages: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) messages[issue.path.join('.')] ??= issue.message;
  return messages;
}
