import { checksum } from '@common-ink/http/compression.ts';
import { ENCODINGS, type Encoding } from '@common-ink/http/encoding.ts';

export interface HeaderSet {
  readonly pairs: readonly string[];
  /** Checksum of these headers. It is part of the ETag, so that a changed header, such as the CSP, changes the ETag. */
  readonly sum: string;
  readonly isHtml: boolean;
}

/** One encoding of a page, ready to be sent: the body and the header arrays, built once. */
export interface Variant {
  readonly page: StoredPage;
  readonly encoding: Encoding;
  readonly body: Buffer;
  readonly etag: string;
  /** Alternating header names and values of a 200 response. `refreshAge` updates the age in `X-Page`. */
  readonly head: string[];
  readonly notModified: string[];
  age: number;
}

/** The part of a stored page that never changes. The index stores it as JSON. */
export interface PageContent {
  readonly path: string;
  readonly tags: readonly string[];
  readonly maxAge: number;
  readonly reason: string;
  readonly sums: Readonly<Record<Encoding, string>>;
  readonly lengths: Readonly<Record<Encoding, number>>;
  readonly storedAt: number;
}

export class StoredPage {
  readonly content: PageContent;
  readonly headers: HeaderSet;
  /** Unix time of the last render that produced these bytes. */
  checkedAt: number;
  /** The value of the invalidation clock when the last render began; 0 for a page that was read from the index. */
  renderedAtClock = 0;
  /** Unix time until which the page is served without further checks; 0 if it is outdated or unverified. */
  freshUntil = 0;
  /** True if the page was rendered before the last change that affects it. */
  isOutdated = false;
  /** False for a page from an earlier process, which may have missed a change. */
  isVerified = true;
  /**
   * True if readers of this outdated page wait for its next render. False if the change that outdated the page has
   * already started that render; readers then get the old version until it ends.
   */
  hasWaiters = false;
  isOnDisk = true;
  hits = 0;
  touchedAt: number;
  /** Duration of the last render in milliseconds; 0 for a page read from the index. */
  renderTime = 0;

  br: Variant | undefined = undefined;
  gzip: Variant | undefined = undefined;
  identity: Variant | undefined = undefined;

  constructor(content: PageContent, headers: HeaderSet, touchedAt: number) {
    this.content = content;
    this.headers = headers;
    this.checkedAt = content.storedAt;
    this.touchedAt = touchedAt;
  }

  get path(): string {
    return this.content.path;
  }

  get tags(): readonly string[] {
    return this.content.tags;
  }

  get bytes(): number {
    return ENCODINGS.reduce((sum, encoding) => sum + this.content.lengths[encoding], 0);
  }

  /** Returns a strong validator, different for each encoding (RFC 9110, 8.8.3.3). */
  etag(encoding: Encoding): string {
    const content = `${this.content.sums.identity}${this.headers.sum}`;
    return encoding === 'identity' ? `"${content}"` : `"${content}-${encoding}"`;
  }

  /** @param maximumAge seconds after which any page is rendered again */
  updateFreshness(maximumAge: number): void {
    const isCurrent = !this.isOutdated && this.isVerified;
    this.freshUntil = isCurrent ? this.checkedAt + Math.min(this.content.maxAge, maximumAge) : 0;
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
