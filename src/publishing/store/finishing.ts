/** What is made of a page after readers have it: its compressed forms and its files. */
import { type Bodies, compress, type MadeForms } from './bodies.ts';
import { type PageFiles, writeFiles } from './page-files.ts';

export interface Finishing {
  /** A page's three forms; those that are made already are not made again. */
  readonly compress: (identity: Buffer, made: MadeForms) => Promise<Bodies>;
  /** @throws NodeJS.ErrnoException when there is no room or no right to write; the old files may be gone then. */
  readonly write: (files: PageFiles, bodies: Bodies) => Promise<void>;
}

/** In this thread and the pool that all of the process shares. */
export const FINISHING_HERE: Finishing = { compress, write: writeFiles };
