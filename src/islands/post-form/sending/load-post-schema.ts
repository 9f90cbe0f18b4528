import type * as z from 'zod/mini';
import type { PostForm } from '#blog/forms/forms.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';

export const loadPostSchema = async (): Promise<z.ZodMiniType<PostForm>> =>
  (await importWithRetry(() => import('#blog/forms/forms.ts'))).postSchema;
