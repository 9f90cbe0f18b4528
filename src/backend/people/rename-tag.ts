import { Databases, type Models, Query } from 'node-appwrite';
import { listedValues } from '#blog/post.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';
import { hasTag, tagsOfPost } from '#blog/tags/tags.ts';
import { type ArticleDocument, literal } from '../document.ts';
import { type ServerTarget, serverClient } from '../target.ts';
import { items } from '../walk.ts';

/** A document may hold any number of tags. */
const PAGE = 50;

type Tagged = ArticleDocument & Models.Document & { readonly tags?: readonly string[] | null };

/**
 * Replaces the tag `slug` by `name` in every post, drafts too, without duplicates. Returns the slugs of the changed
 * posts.
 * @throws the SDK's error; renamed posts stay renamed, and another run continues
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
