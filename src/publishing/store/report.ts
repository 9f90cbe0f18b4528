/** Why a page is as it is: what the store knows of it, for the operator. */
import { AUTHOR_TAG, POST_TAG, POSTS, SITE } from '../tags.ts';
import { ENCODINGS, type Encoding } from './encoding.ts';
import type { Entry } from './entry.ts';

export interface PageReport {
  readonly path: string;
  readonly state: 'current' | 'unconfirmed since the restart' | 'expired' | 'outdated';
  /** ISO dates: of these bytes, and of the last render, which may have found them right. */
  readonly storedAt: string;
  readonly renderedAt: string;
  /** The event that had it rendered. */
  readonly reason: string;
  readonly renderMilliseconds: number;
  readonly tags: readonly string[];
  /** What would have it rendered again, in words. */
  readonly invalidatedBy: readonly string[];
  readonly etag: string;
  readonly bytes: { readonly identity: number; readonly gzip: number; readonly br: number };
  readonly hits: number;
  readonly inMemory: readonly Encoding[];
  readonly onDisk: boolean;
}

export function reportOf(entry: Entry, now: number): Omit<PageReport, 'onDisk'> {
  const [identity, gzip, br] = entry.lengths;
  return {
    path: entry.path,
    state: stateOf(entry, now),
    storedAt: new Date(entry.storedAt * 1000).toISOString(),
    renderedAt: new Date(entry.checkedAt * 1000).toISOString(),
    reason: entry.reason,
    renderMilliseconds: entry.renderTime / 10,
    tags: entry.tagNames,
    invalidatedBy: meanings(entry.tagNames),
    etag: entry.etag('identity'),
    bytes: { identity, gzip, br },
    hits: entry.hits,
    inMemory: ENCODINGS.filter((encoding) => entry[encoding] !== undefined),
  };
}

function stateOf(entry: Entry, now: number): PageReport['state'] {
  if (entry.outdatedBy > 0) return 'outdated';
  if (entry.asOf === 0) return 'unconfirmed since the restart';
  return now < entry.freshUntil ? 'current' : 'expired';
}

/** A list's many posts are one line. */
const MOST_POSTS = 4;

function meanings(tags: readonly string[]): string[] {
  const posts = tags.filter((tag) => tag.startsWith(POST_TAG));
  const many = posts.length > MOST_POSTS;
  const others = many ? tags.filter((tag) => !tag.startsWith(POST_TAG)) : tags;
  const list = many ? [`${POST_TAG}…: a change of any of the ${posts.length} posts it names`] : [];
  return [...others.map(meaning), ...list, meaning(SITE)];
}

function meaning(tag: string): string {
  if (tag === SITE) return 'site: a rebuild of all pages';
  if (tag === POSTS) return 'posts: any post published, changed, unpublished or deleted';
  if (tag.startsWith(POST_TAG)) return `${tag}: a change of the post ${tag.slice(POST_TAG.length)}`;
  if (tag.startsWith(AUTHOR_TAG)) return `${tag}: a change of the author ${tag.slice(AUTHOR_TAG.length)}`;
  return `${tag}: a rebuild that names it`;
}
