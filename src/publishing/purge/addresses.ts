/** The pages that a tag names at addresses known beforehand: a CDN may hold what the store has dropped. */
import { postPath } from '../canonical.ts';
import { AUTHOR_TAG, POST_TAG, POSTS, SITE } from '../tags.ts';

const LISTS = ['/', '/archive', '/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml'];

export function addressesOf(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => {
    if (tag === POSTS || tag === SITE) return LISTS;
    if (tag.startsWith(AUTHOR_TAG)) return [`/author/${tag.slice(AUTHOR_TAG.length)}`];
    if (!tag.startsWith(POST_TAG)) return [];
    const path = postPath(tag.slice(POST_TAG.length));
    return [path, `${path}/share.png`];
  });
}
