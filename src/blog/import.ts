/** An import by the owner's page: what is sent to the server, and what it says of the run. */

import * as z from 'zod/mini';

/** Bytes of the largest file that is taken; more goes by the command, beside the server. */
export const IMPORT_MAX = 1024 * 1024 * 1024;
/** Bytes sent at once: proxies refuse larger bodies. */
export const IMPORT_CHUNK = 4 * 1024 * 1024;
/** Entries that the page shows; the report has all of them. */
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
    /** Says what a run would do, and writes nothing. */
    isDryRun: z.boolean(),
    /** Whether the posts become those of the people who wrote them; else they become the caller's. */
    keepsAuthors: z.boolean(),
    oldSite: z.string().check(z.maxLength(500), z.regex(/^(?:https?:\/\/[^\s/]+\S*)?$/)),
  }),
  z.object({ action: z.literal('cancel'), id }),
]);
/** How the file is read. */
export type ImportOptions = Pick<Extract<ImportAction, { action: 'start' }>, 'keepsAuthors' | 'oldSite'>;
export type ImportAction = z.infer<typeof importActionSchema>;

export type ImportOutcome = 'taken' | 'updated' | 'unchanged' | 'skipped' | 'failed';

/** What became of one file or entry of the export. Texts are the importer's own, in English. */
export interface ImportEntry {
  readonly path: string;
  readonly outcome: ImportOutcome;
  /** Of the post; absent where there is none. */
  readonly slug?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly notes: readonly string[];
  /** What of it was not taken. */
  readonly losses?: readonly string[];
}

export interface ImportCounts extends Readonly<Record<ImportOutcome, number>> {
  readonly pictures: number;
  /** Entries of which something was not taken. */
  readonly lossy: number;
}

/** The import that is under way, or that ended last. */
export interface ImportState {
  readonly phase: 'none' | 'uploading' | 'looking' | 'looked' | 'importing' | 'imported' | 'failed';
  readonly id: string;
  /** Of the file. */
  readonly name: string;
  /** Bytes, and how many of them are there. */
  readonly size: number;
  readonly received: number;
  /** Of the run that is under way, or ended last. */
  readonly options: ImportOptions;
  /** Entries that were read, of how many; 0 until that is known. */
  readonly done: number;
  readonly all: number;
  readonly counts: ImportCounts;
  /** When it has ended: entries that something is to be said of, the first of them. */
  readonly entries: readonly ImportEntry[];
  /** True when somebody ended it before it was through. */
  readonly isCancelled: boolean;
  /** Why it failed, a sentence in English. */
  readonly reason: string;
}
