import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { Archive } from './archive.ts';
import type { Collection } from './document.ts';

export interface OpenOptions {
  readonly oldSite?: string | undefined;
  readonly media?: string | undefined;
  /** Hosts and networks, besides the public internet, from which files may be fetched; undefined disables fetching. */
  readonly fetch?: Allowed | undefined;
  /** Maximum milliseconds for one text (default: `TEXT_MS`). */
  readonly longestMs?: number | undefined;
}

export interface Format {
  matches(archive: Archive): Promise<boolean>;
  /** Reads an archive. The caller closes the archive. @throws OperatorError for an unreadable export */
  open(archive: Archive, options: OpenOptions): Promise<Collection>;
}
