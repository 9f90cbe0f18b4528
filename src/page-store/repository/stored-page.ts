/** One stored page as the process holds it. Times are whole seconds since 1970. */
import { CHECKSUM_LENGTH, checksum } from '@common-ink/http/compression.ts';
import type { Encoding } from '@common-ink/http/encoding.ts';
import type { Variant } from '../variant.ts';

/** The headers that a render gave. Most pages share one set. */
export interface HeaderSet {
  /** Its number in the index. */
  readonly id: number;
  /** Name, value, name, value. */
  readonly pairs: readonly string[];
  /** Part of the ETag: a page whose policy changed is another page. */
  readonly sum: string;
  readonly isHtml: boolean;
}

/** What the index keeps of a page's content. */
export interface PageContent {
  readonly path: string;
  /** Sorted. */
  readonly tags: readonly string[];
  readonly headers: HeaderSet;
  /** The checksums of identity, gzip and br, one after the other. */
  readonly sums: string;
  /** Bytes of identity, gzip and br. */
  readonly lengths: readonly [identity: number, gzip: number, br: number];
  /** When these bytes were stored. */
  readonly storedAt: number;
  /** Seconds for which the page may be kept. */
  readonly maxAge: number;
  /** The event that had it rendered. */
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

  /** When it was last rendered and found right. */
  checkedAt: number;
  /** The invalidation clock when that render began; 0 for a page that was read from the index. */
  renderedAtClock = 0;
  /** Until when a hit needs no thought; 0: look at the other fields. */
  freshUntil = 0;
  /** A change names it that its bytes have not seen. */
  isOutdated = false;
  /** False for a page of an earlier process of which it is not known that nothing changed since. */
  isVerified = true;
  /** Readers of the outdated page wait for the new one. False while the write that outdated it renders it itself. */
  hasWaiters = false;
  /** False when it could not be written: it lives in memory alone. */
  isOnDisk = true;
  hits = 0;
  /** Of the last hit. */
  touchedAt: number;
  /** Milliseconds its render took; 0 for a page that was read from the index. */
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

  /** Strong, so different for each coding: they are different bytes (RFC 9110, 8.8.3.3). */
  etag(encoding: Encoding): string {
    const content = `${this.sum('identity')}${this.headers.sum}`;
    return encoding === 'identity' ? `"${content}"` : `"${content}-${encoding}"`;
  }

  /** Sets until when it may be shown without a thought. `maximumAge`: seconds after which any page is rendered again. */
  updateFreshness(maximumAge: number): void {
    const isCurrent = !this.isOutdated && this.isVerified;
    this.freshUntil = isCurrent ? this.checkedAt + Math.min(this.maxAge, maximumAge) : 0;
  }
}

/** A header set of `pairs` (name, value, name, value). */
export function headerSetOf(id: number, pairs: readonly string[]): HeaderSet {
  const type = pairs.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-type');
  return {
    id,
    pairs,
    sum: checksum(JSON.stringify(pairs)).slice(0, 8),
    isHtml: type >= 0 && (pairs[type + 1] ?? '').startsWith('text/html'),
  };
}
