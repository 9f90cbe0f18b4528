/** A stored page as the process holds it. Times are Unix times in seconds. */
import { CHECKSUM_LENGTH, checksum } from '@common-ink/http/compression.ts';
import type { Encoding } from '@common-ink/http/encoding.ts';

/** The headers of a rendered response. Most pages share one set. */
export interface HeaderSet {
  /** Name, value, name, value. */
  readonly pairs: readonly string[];
  /** Part of the ETag: a page whose policy changed is another page. */
  readonly sum: string;
  readonly isHtml: boolean;
}

/** One encoding of a page, ready to be sent: the body and the header arrays, built once. */
export interface Variant {
  readonly page: StoredPage;
  readonly encoding: Encoding;
  readonly body: Buffer;
  readonly etag: string;
  /** Headers of the 200: name, value, name, value. `showAge` rewrites the page's state in them each second. */
  readonly head: string[];
  /** Headers of the 304. */
  readonly notModified: string[];
  /** The age in seconds that both arrays show now. */
  age: number;
}

/** The part of a page that the index stores. */
export interface PageContent {
  readonly path: string;
  /** Sorted. */
  readonly tags: readonly string[];
  readonly headers: HeaderSet;
  /** The checksums of identity, gzip and br, one after the other. */
  readonly sums: string;
  /** Bytes of identity, gzip and br. */
  readonly lengths: readonly [identity: number, gzip: number, br: number];
  readonly storedAt: number;
  /** In seconds. */
  readonly maxAge: number;
  /** The event that caused the render. */
  readonly reason: string;
}

const ENCODING_INDEX: Readonly<Record<Encoding, 0 | 1 | 2>> = { identity: 0, gzip: 1, br: 2 };

export class StoredPage implements PageContent {
  readonly path: string;
  readonly tags: readonly string[];
  readonly headers: HeaderSet;
  readonly sums: string;
  readonly lengths: readonly [identity: number, gzip: number, br: number];
  readonly storedAt: number;
  readonly maxAge: number;
  readonly reason: string;

  /** The last render that confirmed these bytes. */
  checkedAt: number;
  /** The invalidation clock when that render began; 0 for a page that was read from the index. */
  renderedAtClock = 0;
  /** A hit needs no further check before this time; 0: look at the other fields. */
  freshUntil = 0;
  /** The page has not seen the last change that names it. */
  isOutdated = false;
  /** False for a page of an earlier process that may have missed a change. */
  isVerified = true;
  /** Readers of the outdated page wait for the new one. False while the write that outdated it renders it itself. */
  hasWaiters = false;
  /** False when it could not be written and lives in memory only. */
  isOnDisk = true;
  hits = 0;
  /** The last read. */
  touchedAt: number;
  /** Milliseconds; 0 for a page that was read from the index. */
  renderTime = 0;

  br: Variant | undefined = undefined;
  gzip: Variant | undefined = undefined;
  identity: Variant | undefined = undefined;

  constructor(content: PageContent, now: number) {
    this.path = content.path;
    this.tags = content.tags;
    this.headers = content.headers;
    this.sums = content.sums;
    this.lengths = content.lengths;
    this.storedAt = content.storedAt;
    this.maxAge = content.maxAge;
    this.reason = content.reason;
    this.checkedAt = content.storedAt;
    this.touchedAt = now;
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.lengths[0] + this.lengths[1] + this.lengths[2];
  }

  sum(encoding: Encoding): string {
    const start = ENCODING_INDEX[encoding] * CHECKSUM_LENGTH;
    return this.sums.slice(start, start + CHECKSUM_LENGTH);
  }

  /** Returns a strong validator, different for each encoding (RFC 9110, 8.8.3.3). */
  etag(encoding: Encoding): string {
    const content = `${this.sum('identity')}${this.headers.sum}`;
    return encoding === 'identity' ? `"${content}"` : `"${content}-${encoding}"`;
  }

  /** Sets `freshUntil`. `maximumAge`: seconds after which any page is rendered again. */
  updateFreshness(maximumAge: number): void {
    const isCurrent = !this.isOutdated && this.isVerified;
    this.freshUntil = isCurrent ? this.checkedAt + Math.min(this.maxAge, maximumAge) : 0;
  }
}

export function headerSetOf(pairs: readonly string[]): HeaderSet {
  const type = pairs.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-type');
  return {
    pairs,
    sum: checksum(JSON.stringify(pairs)).slice(0, 8),
    isHtml: type >= 0 && (pairs[type + 1] ?? '').startsWith('text/html'),
  };
}
