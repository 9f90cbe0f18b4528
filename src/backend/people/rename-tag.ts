/** A tag is renamed in everybody's posts, or becomes one with another whose name it is given. */

import { type Client, Databases, type Models, Query } from 'node-appwrite';
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
 * @param editor a client of the editor's own: it decides whether they may
 * @throws the SDK's error, 401 for who may not; what was renamed until then stays so, and another run goes on.
 */
export async function renameTag(target: PeopleTarget, editor: Client, slug: string, name: string): Promise<string[]> {
  const { databaseId, collectionId } = target;
  const place = { databaseId, collectionId };
  const [reading, writing] = [new Databases(serverClient(target)), new Databases(editor)];
  const renamed: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const queries = [Query.select(['$id', 'tags']), Query.limit(PAGE), ...(cursor ? [Query.cursorAfter(cursor)] : [])];
    const { documents } = await reading.listDocuments<Tagged>({ ...place, queries, total: false });
    for (const { $id, tags } of documents) {
      const before = listedValues({ tags }).tags ?? [];
      if (!hasTag({ tags: before }, slug)) continue;
      const after = tagsOfPost({ tags: before.map((tag) => (tagSlug(tag) === slug ? name : tag)) });
      const data = literal({ tags: after.map((tag) => tag.name) });
      if (data.tags.join('\n') === before.join('\n')) continue;
      await writing.updateDocument({ ...place, documentId: $id, data });
      renamed.push($id);
    }
    if (documents.length < PAGE) return renamed;
    cursor = documents.at(-1)?.$id;
  }
}
