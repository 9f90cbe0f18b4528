/** A format that can be imported. */

import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { Archive } from './archive.ts';
import type { Collection } from './document.ts';

export interface OpenOptions {
  readonly path: string;
  /** The old site's address without a trailing slash. */
  readonly oldSite?: string | undefined;
  /** A folder that holds the old site's files. */
  readonly media?: string | undefined;
  /** Addresses that may be fetched from the old site, besides the public internet; undefined: nothing. */
  readonly fetch?: Allowed | undefined;
  /** Milliseconds that one text may take (default: `TEXT_MS`). */
  readonly longestMs?: number | undefined;
}

export interface Format {
  /** True if the export is one of this format. */
  matches(archive: Archive): Promise<boolean>;
  /** @throws OperatorError if the export cannot be read at all */
  open(options: OpenOptions): Promise<Collection>;
}
