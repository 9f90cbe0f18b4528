/** Author names of listed posts, fetched from the site's server, because browsers are not allowed to list users. */

import { atom } from 'nanostores';
import type { PostSummary } from '#blog/post.ts';

/** Author names by user id. */
export const $authorNames = atom<Readonly<Record<string, string>>>({});

const AT_ONCE = 100;

const asked = new Set<string>();

export async function fetchAuthorNames(posts: readonly PostSummary[]): Promise<void> {
  const known = $authorNames.get();
  const unknown = new Map<string, string>();
  for (const { id, userId } of posts) {
    if (!Object.hasOwn(known, userId) && !unknown.has(userId) && !asked.has(id)) unknown.set(userId, id);
  }
  const slugs = [...unknown.values()].slice(0, AT_ONCE);
  if (slugs.length === 0) return;
  for (const slug of slugs) asked.add(slug);
  try {
    const response = await fetch(`/api/authors?${new URLSearchParams({ posts: slugs.join() })}`);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const names = (await response.json()) as Record<string, string>;
    $authorNames.set({ ...$authorNames.get(), ...names });
  } catch (error) {
    console.error('Authors’ names:', error);
    for (const slug of slugs) asked.delete(slug);
    return;
  }
  if (unknown.size > slugs.length) await fetchAuthorNames(posts);
}
