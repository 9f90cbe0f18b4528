/** Changes other users' posts with the server key. Callers must check the editor's rights first (decision 018). */

import { Query } from 'node-appwrite';
import { DomainError } from '#blog/errors.ts';
import { isForgery, isShared, isSharedRead, postPermissions } from '#blog/permissions.ts';
import { listedValues, type Post, postValues } from '#blog/post.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';
import { hasTag, tagsOfPost } from '#blog/tags/tags.ts';
import { literal } from '../document.ts';
import { revokeDraftLink } from '../draft-links/draft-links.ts';
import { databasesAsOf, documentsOf, filesNamedIn, type KeyedBackend, naming, postAt } from '../keyed-backend.ts';
import { keptPictureId } from '../revision-ids.ts';
import { hideAll, hidePicturesOf, isExposed, ownerOf } from '../sweep/exposed.ts';
import { dropVersionsOf } from '../sweep/versions.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';
import { slugsOf } from './delete-user.ts';

/** Makes the post a draft that only its writer can read, and revokes the link to it. */
export async function takeBack(backend: KeyedBackend, post: Post): Promise<void> {
  // Revoked first, because the link would show the draft if this function were interrupted.
  await revokeDraftLink(backend, post.id);
  // The permissions of a post with a forged `userId` name its writer, not its alleged author.
  const permissions = isForgery(post)
    ? post.permissions.filter((each) => !isSharedRead(each))
    : postPermissions('inactive', post.userId);
  const { databases, articles } = backend;
  await databases.updateDocument({ ...articles, documentId: post.id, data: { status: 'inactive' }, permissions });
  await hidePicturesOf(backend.target, post.id);
}

/** Deletes the post and hides its pictures, which the periodic sweep deletes later. */
export async function deletePostOf(backend: KeyedBackend, post: Post): Promise<void> {
  await takeBack(backend, post);
  await backend.databases.deleteDocument({ ...backend.articles, documentId: post.id });
  await dropVersionsOf(backend, post.id);
}

/**
 * Transfers a post to user `to`, with its pictures and the former versions that were public. Changes author and
 * permissions in one write, so that the post is never missing from a list.
 */
export async function handOver(backend: KeyedBackend, post: Post, to: string): Promise<void> {
  if (post.userId === to && !isForgery(post)) return;
  await giveEverythingOf(backend, post, { from: writerOf(post), to, withDrafts: false });
}

/** Returns the user named in the permissions: the pictures of a post with a forged `userId` belong to its writer. */
const writerOf = ({ permissions, userId }: Post): string => ownerOf({ $permissions: [...permissions] }) ?? userId;

/**
 * Transfers all posts of user `from`, including drafts, to user `to` and returns their slugs. An interrupted call can
 * be repeated.
 */
export async function handOverAll(backend: KeyedBackend, from: string, to: string): Promise<string[]> {
  const slugs = await slugsOf(backend, from);
  for (const slug of slugs) {
    const post = await postAt(backend, slug);
    if (post) await giveEverythingOf(backend, post, { from, to, withDrafts: true });
  }
  return slugs;
}

const TRIES = 5;

interface Gift {
  readonly from: string;
  readonly to: string;
  /** If false, user `from` keeps the versions that were never public, and a post that becomes a draft meanwhile. */
  readonly withDrafts: boolean;
}

/**
 * Transfers the versions and pictures of a post from user `from` to user `to`, then the post itself.
 * @throws DomainError `not-found` if the post becomes a draft meanwhile and `withDrafts` is false
 */
async function giveEverythingOf(backend: KeyedBackend, post: Post, { from, to, withDrafts }: Gift): Promise<void> {
  const given = (permissions: readonly string[]) =>
    permissions.map((each) => each.replace(`"user:${from}"`, `"user:${to}"`));
  const { databases, storage, revisions, syncedFiles, bucketId } = backend;
  const ofPost = Query.equal('postId', post.id);
  const isShownElsewhere = async (fileId: string) => {
    const among = [Query.equal('userId', from), Query.notEqual('$id', post.id), naming(fileId)];
    return (await documentsOf(backend, backend.articles, ['$id'], ...among)([Query.limit(1)])).length > 0;
  };
  const undo: (() => Promise<unknown>)[] = [];
  const seen = new Set<string>();
  const givePictures = async (ids: Iterable<string>) => {
    for (const fileId of ids) {
      if (fileId === '' || seen.has(fileId)) continue;
      seen.add(fileId);
      await unless(
        404,
        storage.getFile({ bucketId, fileId }).then(async ({ $permissions }) => {
          if (!$permissions.includes(`update("user:${from}")`)) return;
          // A private picture in another post of the author, which may be a draft, stays with the author.
          if (!withDrafts && !isExposed({ $permissions }) && (await isShownElsewhere(fileId))) return;
          await storage.updateFile({ bucketId, fileId, permissions: given($permissions) });
          undo.push(() => storage.updateFile({ bucketId, fileId, permissions: $permissions }));
        }),
      );
    }
  };
  for (const version of await Array.fromAsync(items(documentsOf(backend, revisions, ['*'], ofPost)))) {
    const { $id, $permissions } = version;
    const { status, content, featuredImage } = postValues(version);
    if (status !== 'active' && !withDrafts) continue;
    const permissions = given($permissions);
    // Skips other users' versions, because any user may add a version of any post.
    if (!permissions.includes(`update("user:${to}")`)) continue;
    // The version may be gone, because the author's browser deletes all but the newest versions.
    await unless(404, databases.updateDocument({ ...revisions, documentId: $id, permissions }));
    undo.push(() => databases.updateDocument({ ...revisions, documentId: $id, permissions: [...$permissions] }));
    await givePictures([
      ...(featuredImage ? [featuredImage, keptPictureId(featuredImage)] : []),
      ...filesNamedIn(content),
    ]);
  }
  // Retries, because the author may publish or unpublish the post in the meantime.
  for (let tries = 1; ; tries++) {
    const now = await postAt(backend, post.id);
    if (!now) return;
    if (!withDrafts && !isShared(now)) {
      for (const giveBack of undo) await unless(404, giveBack());
      // The author's browser could not hide these pictures while they belonged to the other user.
      await hideAll(backend, seen, from);
      throw new DomainError('not-found');
    }
    await givePictures([now.featuredImage, ...filesNamedIn(now.content)]);
    // Deletes the records of synced files. The next sync recreates them for the new author.
    await unless('collection_not_found', databases.deleteDocuments({ ...syncedFiles, queries: [ofPost] }));
    // The link must never show the new author's draft.
    await revokeDraftLink(backend, now.id);
    if (await giveItself(backend, now, to, tries === TRIES)) return;
  }
}

/** Makes user `to` the author of the post. If the post has changed, returns false, or throws on the last attempt. */
async function giveItself(backend: KeyedBackend, post: Post, to: string, isLast: boolean): Promise<boolean> {
  const place = { ...backend.articles, documentId: post.id };
  // Clears the newsletter choice, because the new author decides whether the post is emailed to subscribers.
  const data = { userId: to, ...(post.newsletter && { newsletter: null }) };
  const change = { data, permissions: postPermissions(post.status, to) };
  const given = databasesAsOf(backend.target, post.updatedAt).updateDocument({ ...place, ...change });
  return (await (isLast ? given : unless(/_update_conflict$/, given))) !== undefined;
}

/** Documents per request. Kept low, because a document may have any number of tags. */
const TAGGED_PAGE = 50;

/**
 * Replaces the tag `slug` with `name` in every post and draft, without duplicates. Returns the slugs of the changed
 * posts.
 * @throws the SDK's error; posts changed by then keep the new tag, and another call changes the rest
 */
export async function renameTag(backend: KeyedBackend, slug: string, name: string): Promise<string[]> {
  const renamed: string[] = [];
  for await (const document of items(documentsOf(backend, backend.articles, ['$id', 'tags']), TAGGED_PAGE)) {
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
