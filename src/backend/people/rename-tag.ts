/** Renames a tag in every post, or merges it with the tag that has the new name. */

import { Databases, type Models, Query } from 'node-appwrite';
import { listedValues } from '#blog/post.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';
import { hasTag, tagsOfPost } from '#blog/tags/tags.ts';
import { type ArticleDocument, literal } from '../document.ts';
import { type PeopleTarget, serverClient } from './target.ts';

/** With their tags, of which a document may hold any number. */
const PAGE = 50;

type Tagged = ArticleDocument & Models.Document & { readonly tags?: readonly string[] | null };

/**
 * Every post with the tag `slug`, drafts too, has `name` in its place; each of its tags stands once. Gives the slugs of the
 * posts that changed.
 * @throws the SDK's error; what was renamed until then stays so, and another run goes on.
 */
export async function renameTag(target: PeopleTarget, slug: string, name: string): Promise<string[]> {
  const { databaseId, collectionId } = target;
  const place = { databaseId, collectionId };
  const databases = new Databases(serverClient(target));
  const renamed: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const queries = [Query.select(['$id', 'tags']), Query.limit(PAGE), ...(cursor ? [Query.cursorAfter(cursor)] : [])];
    const { documents } = await databases.listDocuments<Tagged>({ ...place, queries, total: false });
    for (const { $id, tags } of documents) {
      const before = listedValues({ tags }).tags ?? [];
      if (!hasTag({ tags: before }, slug)) continue;
      const after = tagsOfPost({ tags: before.map((tag) => (tagSlug(tag) === slug ? name : tag)) });
      const data = literal({ tags: after.map((tag) => tag.name) });
      if (data.tags.join('\n') === before.join('\n')) continue;
      await databases.updateDocument({ ...place, documentId: $id, data });
      renamed.push($id);
    }
    if (documents.length < PAGE) return renamed;
    cursor = documents.at(-1)?.$id;
  }
}
