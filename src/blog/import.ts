/** The requests and the state of an import that the owner runs in the browser. */

import * as z from 'zod/mini';

/** Maximum size of an upload in bytes. The operator imports larger files on the server with `npm run import`. */
export const IMPORT_MAX = 1024 * 1024 * 1024;
/** Maximum bytes of the file per request, because proxies may refuse larger bodies. */
export const IMPORT_CHUNK = 4 * 1024 * 1024;
export const IMPORT_ENTRIES = 200;

const id = z.string().check(z.regex(/^[a-f0-9]{32}$/));

export const importActionSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('begin'),
    name: z.string().check(z.minLength(1), z.maxLength(255)),
    size: z.int().check(z.minimum(1)),
  }),
  z.object({
    action: z.literal('start'),
    id,
    isDryRun: z.boolean(),
    /** True to assign posts to their original authors, false to assign them to the caller. */
    keepsAuthors: z.boolean(),
    oldSite: z.string().check(z.maxLength(500), z.regex(/^(?:https?:\/\/[^\s/]+\S*)?$/)),
  }),
  z.object({ action: z.literal('cancel'), id }),
]);
export type ImportOptions = Pick<Extract<ImportAction, { action: 'start' }>, 'keepsAuthors' | 'oldSite'>;
export type ImportAction = z.infer<typeof importActionSchema>;

export type ImportOutcome = 'taken' | 'updated' | 'unchanged' | 'skipped' | 'failed';

export interface ImportEntry {
  readonly path: string;
  readonly outcome: ImportOutcome;
  readonly slug?: string;
  /** URL path of a page such as `/about`; unset for a post, whose URL path follows from its slug. */
  readonly address?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly notes: readonly string[];
  readonly losses?: readonly string[];
}

export interface ImportCounts extends Readonly<Record<ImportOutcome, number>> {
  readonly pictures: number;
  readonly lossy: number;
}

export interface ImportState {
  readonly phase: 'none' | 'uploading' | 'looking' | 'looked' | 'importing' | 'imported' | 'failed';
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly received: number;
  readonly options: ImportOptions;
  readonly done: number;
  readonly all: number;
  readonly counts: ImportCounts;
  readonly entries: readonly ImportEntry[];
  readonly isCancelled: boolean;
  readonly reason: string;
}
