import { z } from 'zod';

export const MANIFEST = 'manifest.json';
/** Version of the backup's layout. Each release reads its own version and older ones. */
export const FORMAT = 1;

/** Matches folders that the server recreates, and the backend's folder, of which only `OF_THE_BACKEND` is backed up. */
const MADE_ELSEWHERE = /^(?:pages|assets|backend)(?:\/|$)/;
const OF_THE_BACKEND = /^backend\/(?:backend\.sqlite|storage\/files\/[0-9A-Za-z-]{1,2}\/[0-9A-Za-z-]+)$/;

/** A path below the data folder. Rejects `..`, a leading dot, and files that are never backed up. */
const memberName = z
  .string()
  .max(512)
  .regex(/^[^/\\\p{Cc}][^\\\p{Cc}]*$/u)
  .refine((name) => name.split('/').every((part) => part !== '' && part !== '.' && part !== '..'))
  .refine((name) => !name.startsWith('.') && (!MADE_ELSEWHERE.test(name) || OF_THE_BACKEND.test(name)));

export const memberSchema = z.object({
  name: memberName,
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Member = z.infer<typeof memberSchema>;

export const manifestSchema = z.object({
  product: z.literal('common-ink'),
  format: z.int().min(1),
  release: z.string().max(100),
  made: z.iso.datetime(),
  counts: z.object({
    version: z.int(),
    users: z.int(),
    documents: z.int(),
    files: z.int(),
  }),
  members: z.array(memberSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;
