import { listedValues } from '#blog/post.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';
import { hasTag, tagsOfPost } from '#blog/tags/tags.ts';
import { literal } from '../document.ts';
import { documentsOf, keyedBackend } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { items } from '../walk.ts';

/** Documents per request. Kept low, because a document may have any number of tags. */
const PAGE = 50;

/**
 * Replaces the tag `slug` with `name` in every post and draft, without duplicates. Returns the slugs of the changed
 * posts.
 * @throws the SDK's error; posts changed by then keep the new tag, and another call changes the rest
 */
export async function renameTag(target: ServerTarget, slug: string, name: string): Promise<string[]> {
  const backend = keyedBackend(target);
  const renamed: string[] = [];
  for await (const document of items(documentsOf(backend, backend.articles, ['$id', 'tags']), PAGE)) {
    const before = listedValues(document).tags ?? [];
    if (!hasTag({ tags: before }, slug)) continue;
    const after = tagsOfPost({ tags: before.map((tag) => (tagSlug(tag) === slug ? name : tag)) });
    const data = literal({ tags: after.map((tag) => tag.name) });
    if (data.tags.join('\n') === before.join('\n')) continue;
    await backend.databases.updateDocument({ ...backend.articles, documentId: document.$id, data });
    renamed.push(document.$id);
  }
  return renamed;
}
