import { ENCODINGS } from '@common-ink/http/encoding.ts';
import { AUTHOR_TAG, POST_DATES, POST_TAG, POSTS, SITE } from '#blog/routes/tags.ts';
import type { StoredPage } from './repository/stored-page.ts';

export type PageReport = ReturnType<typeof reportOf>;

export function reportOf(page: StoredPage, now: number) {
  return {
    path: page.path,
    state: stateOf(page, now),
    /** ISO dates: when these bytes were first stored, and when a render last produced the same bytes. */
    storedAt: new Date(page.content.storedAt * 1000).toISOString(),
    renderedAt: new Date(page.checkedAt * 1000).toISOString(),
    reason: page.content.reason,
    renderMilliseconds: Math.round(page.renderTime * 10) / 10,
    tags: page.tags,
    invalidatedBy: meanings(page.tags),
    etag: page.etag('identity'),
    bytes: page.content.lengths,
    hits: page.hits,
    inMemory: ENCODINGS.filter((encoding) => page[encoding] !== undefined),
    onDisk: page.isOnDisk,
  };
}

function stateOf(page: StoredPage, now: number) {
  if (page.isOutdated) return 'outdated';
  if (!page.isVerified) return 'unconfirmed since the restart';
  return now < page.freshUntil ? 'current' : 'expired';
}

const MOST_POSTS = 4;

function meanings(tags: readonly string[]): string[] {
  const posts = tags.filter((tag) => tag.startsWith(POST_TAG));
  const many = posts.length > MOST_POSTS;
  const others = many ? tags.filter((tag) => !tag.startsWith(POST_TAG)) : tags;
  const list = many ? [`${POST_TAG}…: a change to any of the ${posts.length} posts it shows`] : [];
  return [...others.map(meaning), ...list, meaning(SITE)];
}

function meaning(tag: string): string {
  if (tag === SITE) return 'site: a rebuild of all pages';
  if (tag === POSTS) return 'posts: a post published, unpublished, deleted or moved in a list';
  if (tag === POST_DATES) return 'dates: any post changed';
  if (tag.startsWith(POST_TAG)) return `${tag}: a change to the post ${tag.slice(POST_TAG.length)}`;
  if (tag.startsWith(AUTHOR_TAG)) return `${tag}: a change to the author ${tag.slice(AUTHOR_TAG.length)}`;
  return `${tag}: a rebuild that names it`;
}
