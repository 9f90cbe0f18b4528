/** What every format gives: how it is told by its content, and how it is opened. */

import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { Archive } from './archive.ts';
import type { Collection } from './document.ts';

export interface OpenOptions {
  readonly path: string;
  /** The old site's address without a trailing slash. */
  readonly oldSite?: string | undefined;
  /** A folder that holds the old site's files. */
  readonly media?: string | undefined;
  /** Where a zip file may be unpacked; undefined: where the system keeps temporary files. */
  readonly temporary?: string | undefined;
  /** What may be fetched from the old site, beside the public internet; undefined: nothing is. */
  readonly fetch?: Allowed | undefined;
  /** Milliseconds that one text may take (default: `TEXT_MS`). */
  readonly longestMs?: number | undefined;
}

export interface Format {
  /** Whether the folder, the zip file or the single file is one of this format. */
  matches(archive: Archive): Promise<boolean>;
  /** @throws OperatorError when the source cannot be read at all. */
  open(options: OpenOptions): Promise<Collection>;
}
