/** Renames a tag in every post, or merges it with the tag that has the new name. */

import { Databases, type Models, Query } from 'node-appwrite';
import { listedValues } from '#blog/post.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';
import { hasTag, tagsOfPost } from '#blog/tags/tags.ts';
import { type ArticleDocument, literal } from '../document.ts';
import { type ServerTarget, serverClient } from '../target.ts';
import { items } from '../walk.ts';

/** With their tags, of which a document may hold any number. */
const PAGE = 50;

type Tagged = ArticleDocument & Models.Document & { readonly tags?: readonly string[] | null };

/**
 * Every post with the tag `slug`, drafts too, has `name` in its place; each of its tags stands once. Gives the slugs of the
 * posts that changed.
 * @throws the SDK's error; what was renamed until then stays so, and another run goes on.
 */
export async function renameTag(target: ServerTarget, slug: string, name: string): Promise<string[]> {
  const { databaseId, collectionId } = target;
  const place = { databaseId, collectionId };
  const databases = new Databases(serverClient(target));
  const renamed: string[] = [];
  const selected = Query.select(['$id', 'tags']);
  const list = async (queries: string[]) =>
    (await databases.listDocuments<Tagged>({ ...place, queries: [selected, ...queries], total: false })).documents;
  for await (const { $id, tags } of items(list, PAGE)) {
    const before = listedValues({ tags }).tags ?? [];
    if (!hasTag({ tags: before }, slug)) continue;
    const after = tagsOfPost({ tags: before.map((tag) => (tagSlug(tag) === slug ? name : tag)) });
    const data = literal({ tags: after.map((tag) => tag.name) });
    if (data.tags.join('\n') === before.join('\n')) continue;
    await databases.updateDocument({ ...place, documentId: $id, data });
    renamed.push($id);
  }
  return renamed;
}
