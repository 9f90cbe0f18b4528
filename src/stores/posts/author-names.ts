/** Names of the authors of listed posts. A browser may list no users: the site's own server knows the names. */

import { atom } from 'nanostores';
import type { PostSummary } from '#blog/post.ts';

/** By user id. Whoever is not in it is not known, or not yet. */
export const $authorNames = atom<Readonly<Record<string, string>>>({});

/** Posts that one request may name. */
const AT_ONCE = 100;

/** Slugs that were asked about: a post without a name is not asked about again. */
const asked = new Set<string>();

/** Learns who wrote these active posts, by one post of each author who is not known. A failure is logged. */
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
  }
  if (unknown.size > slugs.length) await fetchAuthorNames(posts);
}
