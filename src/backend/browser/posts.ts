/** Reads and writes posts from the browser. No failure may leave a post without its pictures. */

import { Query } from 'appwrite';
import { faultOf, isUnreachable } from '#blog/errors.ts';
import { filesShownIn } from '#blog/images.ts';
import { postPermissions } from '#blog/permissions.ts';
import {
  type FormInput,
  formValues,
  type Post,
  type PostStatus,
  type PostSummary,
  sameFormValues,
  writtenValues,
} from '#blog/post.ts';
import { literal, postOf } from '../document.ts';
import { unless } from '../unless.ts';
import { collectionIds, connect, connectAsOf, type ListedDocument, logged } from './client.ts';
import { deleteFile, shareFiles, type UploadOptions, uploadFile } from './files.ts';
import { keepFormerPicture, keepRevision } from './revisions.ts';

export function getPost(slug: string): Promise<Post | undefined> {
  return logged('getPost', async () => {
    const found = connect().databases.getDocument<ListedDocument>({ ...collectionIds(), documentId: slug });
    const document = await unless(404, found);
    return document && postOf(document);
  });
}

export interface NewPost extends FormInput {
  readonly slug: string;
  readonly userId: string;
  /** Optional if the post is a page. */
  readonly image?: File | undefined;
}

export interface PostChanges extends FormInput {
  readonly image?: File | undefined;
}

/**
 * Records the post and file that a form's calls created or may have created, so that the next attempt does not create
 * them again. A form passes the same object to all its calls, and each call updates it.
 */
export interface Attempt {
  slug?: string | undefined;
  fileId?: string | undefined;
  file?: File | undefined;
}

/** Thrown if the post was saved in another tab or on another device since it was loaded. */
export class EditConflict extends Error {
  override readonly name = 'EditConflict';
  readonly post: Post;
  constructor(post: Post) {
    super('The post was changed elsewhere.');
    this.post = post;
  }
}

export interface Sending extends Pick<UploadOptions, 'onProgress' | 'signal'> {
  readonly attempt?: Attempt | undefined;
}

/**
 * Uploads the image, then creates the post; deletes the image if the backend refuses the post. If an earlier attempt
 * created the post but its response was lost, updates that post instead and keeps its slug.
 */
export function createPost(draft: NewPost, { attempt = {}, ...uploading }: Sending = {}): Promise<Post> {
  return logged('createPost', async () => {
    const { slug, content, status, userId, image } = draft;
    const isAgain = attempt.slug === slug;
    // An earlier attempt with another slug or image may have created the post. `madeBy` recognises that post by the
    // picture that the attempt uploaded.
    const isOther = attempt.slug !== slug || attempt.file !== image;
    const made = attempt.slug !== undefined && isOther && (await madeBy(attempt, attempt.slug));
    if (made) return bringUpToDate(made, draft, { ...uploading, attempt });
    const featuredImage = image ? await upload(image, draft, { ...uploading, attempt }) : '';
    try {
      const document = await afterFiles(filesOf(content), status, userId, () => {
        attempt.slug = slug;
        return connect().databases.createDocument<ListedDocument>({
          ...collectionIds(),
          documentId: slug,
          data: { ...writtenValues(draft), featuredImage, userId },
          permissions: postPermissions(status, userId),
        });
      });
      return postOf(document);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      const isTaken = faultOf(error).code === 409;
      const there = isTaken ? await (image || !isAgain ? madeBy(attempt, slug) : ownPost(slug, userId)) : undefined;
      if (there) return bringUpToDate(there, draft, { ...uploading, attempt });
      await withdraw(attempt, slug);
      throw error;
    }
  });
}

async function madeBy({ fileId }: Attempt, slug: string): Promise<Post | undefined> {
  const there = fileId === undefined ? undefined : await getPost(slug);
  return there?.featuredImage === fileId ? there : undefined;
}

/** Returns the post at `slug` if it is the author's and has no picture, so an earlier attempt must have created it. */
async function ownPost(slug: string, userId: string): Promise<Post | undefined> {
  const there = await getPost(slug);
  return there?.userId === userId && there.featuredImage === '' ? there : undefined;
}

/** Updates the post of an earlier attempt. If it was edited since, stores that version first; a draft stays a draft. */
async function bringUpToDate(there: Post, draft: NewPost, sending: Sending): Promise<Post> {
  const { image } = draft;
  const isShown = sending.attempt?.file === image;
  const isEdited = there.updatedAt !== there.createdAt;
  if (isEdited) await keepRevision(there);
  const status = isEdited && there.status === 'inactive' ? there.status : draft.status;
  return updatePost(there, { ...formValues(draft), status, ...(!isShown && { image }) }, sending);
}

/**
 * Updates `post` and its files' permissions if the post has not changed since it was loaded. Uploads a new image first.
 * Deletes the old image, if unused, after a successful update, and the new image after a refused one.
 * @throws EditConflict if the post has changed; nothing is overwritten
 */
export function updatePost(
  post: Post,
  changes: PostChanges,
  { attempt = {}, ...uploading }: Sending = {},
): Promise<Post> {
  return logged('updatePost', async () => {
    const { content, status, image } = changes;
    const { id, userId } = post;
    // Checks for a conflict before uploading or sharing pictures, which would have to be undone after a refused write.
    if (image || (status === 'active' && post.status !== 'active')) {
      const now = await getPost(id);
      if (now && now.updatedAt !== post.updatedAt) return ownOrElse(now, post, changes, attempt);
    }
    const again = Boolean(image && attempt.file === image && attempt.fileId);
    const uploaded = image && (await upload(image, { userId, status }, { ...uploading, attempt }));
    const featuredImage = uploaded ?? post.featuredImage;
    const files = [...(featuredImage && (!uploaded || again) ? [featuredImage] : []), ...filesOf(content)];
    try {
      const document = await afterFiles(files, status, userId, () =>
        connectAsOf(post.updatedAt).databases.updateDocument<ListedDocument>({
          ...collectionIds(),
          documentId: id,
          data: { ...literal(writtenValues(changes, post)), featuredImage },
          permissions: postPermissions(status, userId),
        }),
      );
      if (status === 'inactive') await hideFiles(files, userId, Query.notEqual('$id', id));
      return await replaced(post, postOf(document));
    } catch (error) {
      // The write may have succeeded, so the new picture is kept. The next attempt checks whether it did.
      if (isUnreachable(error)) throw error;
      if (faultOf(error).type.endsWith('_update_conflict')) {
        const now = await getPost(id);
        if (now) return ownOrElse(now, post, changes, attempt);
      }
      if (uploaded) await withdraw(attempt, id);
      throw error;
    }
  });
}

/**
 * Publishes or unpublishes a post with its pictures, and clears a scheduled time that is now obsolete. Returns the
 * post; undefined if it does not exist.
 */
export function changeStatus(id: string, status: PostStatus): Promise<Post | undefined> {
  return logged('changeStatus', async () => {
    const post = await getPost(id);
    if (!post || post.status === status) return post;
    const files = shownFiles(post);
    const document = await afterFiles(files, status, post.userId, () =>
      connect().databases.updateDocument<ListedDocument>({
        ...collectionIds(),
        documentId: id,
        data: { status, ...settledHours(post, status) },
        permissions: postPermissions(status, post.userId),
      }),
    );
    if (status === 'inactive') await hideFiles(files, post.userId, Query.notEqual('$id', id));
    return postOf(document);
  });
}

/** Returns the fields that clear the scheduled time made obsolete by the new status. */
const settledHours = ({ publishAt, unpublishAt }: Post, status: PostStatus) => ({
  ...(publishAt && status === 'active' && { publishAt: null }),
  ...(unpublishAt && status === 'inactive' && { unpublishAt: null }),
});

/**
 * Writes a post. To publish one, makes its pictures public first, so that readers never see the post without them. If
 * the write is refused, hides these pictures again unless a published post shows them.
 */
async function afterFiles<T>(
  fileIds: readonly string[],
  status: PostStatus,
  userId: string,
  write: () => Promise<T>,
): Promise<T> {
  if (status === 'inactive') return write();
  try {
    await shareFiles(fileIds, status, userId);
    return await write();
  } catch (error) {
    // If there was no response, the write may have succeeded, so the pictures stay public.
    if (!isUnreachable(error)) await hideFiles(fileIds, userId);
    throw error;
  }
}

/** Hides pictures that no published post by their owner shows. @param among queries that restrict the posts to check */
async function hideFiles(fileIds: readonly string[], userId: string, ...among: string[]): Promise<void> {
  for (const fileId of fileIds) {
    try {
      const isPublic = await isShown(fileId, userId, Query.equal('status', 'active'), ...among);
      if (!isPublic) await shareFiles([fileId], 'inactive', userId);
    } catch (error) {
      console.error(`hideFiles: ${fileId}:`, error);
    }
  }
}

/**
 * Returns `now`, the stored post, if its values equal the form's: an earlier attempt's response may have been lost.
 * @throws EditConflict if another user or tab has changed the post
 */
async function ownOrElse(now: Post, post: Post, changes: PostChanges, attempt: Attempt): Promise<Post> {
  const same =
    sameFormValues(now, changes) && now.featuredImage === (changes.image ? attempt.fileId : post.featuredImage);
  if (same) return replaced(post, now);
  if (attempt.fileId) await withdraw(attempt, post.id);
  throw new EditConflict(now);
}

async function replaced(before: Post, now: Post): Promise<Post> {
  if (before.featuredImage && before.featuredImage !== now.featuredImage) {
    await deleteUnused([before.featuredImage], before.userId, keepFormerPicture);
  }
  return now;
}

async function upload(
  image: File,
  { userId, status }: Pick<NewPost, 'userId' | 'status'>,
  { attempt = {}, ...uploading }: Sending,
): Promise<string> {
  if (attempt.file === image && attempt.fileId) {
    await shareFiles([attempt.fileId], status, userId);
    return attempt.fileId;
  }
  const fileId = await uploadFile(image, { userId, status, ...uploading });
  Object.assign(attempt, { fileId, file: image });
  return fileId;
}

/** Deletes the uploaded picture after a refused write, unless the post shows it. */
async function withdraw(attempt: Attempt, slug: string): Promise<void> {
  const { fileId } = attempt;
  Object.assign(attempt, { slug: undefined, fileId: undefined, file: undefined });
  if (fileId === undefined) return;
  try {
    if ((await getPost(slug))?.featuredImage !== fileId) await deleteFile(fileId);
  } catch (error) {
    console.error(`withdraw: ${fileId}:`, error);
  }
}

/** Deletes the post, then deletes or hides its files. If the post cannot be deleted, logs the reason and returns false. */
export async function deletePost(post: Post | PostSummary): Promise<boolean> {
  try {
    await connect().databases.deleteDocument({ ...collectionIds(), documentId: post.id });
  } catch (error) {
    console.error('deletePost:', error);
    return false;
  }
  await deleteUnused(shownFiles(post), post.userId);
  return true;
}

/**
 * Deletes files that no post by their owner shows, and hides those that only unpublished posts show. Awaits `first`
 * before each deletion, and keeps the file if `first` rejects.
 */
async function deleteUnused(
  fileIds: readonly string[],
  userId: string,
  first?: (fileId: string, userId: string) => Promise<void>,
): Promise<void> {
  for (const fileId of fileIds) {
    try {
      if (await isShown(fileId, userId)) {
        await hideFiles([fileId], userId);
        continue;
      }
      await first?.(fileId, userId);
      await deleteFile(fileId);
    } catch (error) {
      console.error(`deleteUnused: ${fileId}:`, error);
    }
  }
}

async function isShown(fileId: string, userId: string, ...among: string[]): Promise<boolean> {
  const { total } = await connect().databases.listDocuments({
    ...collectionIds(),
    queries: [
      Query.equal('userId', userId),
      ...among,
      Query.or([Query.equal('featuredImage', fileId), Query.contains('content', fileId)]),
      Query.limit(1),
      Query.select(['$id']),
    ],
  });
  return total > 0;
}

const shownFiles = (post: Post | PostSummary): string[] =>
  [...new Set([post.featuredImage, ...('content' in post ? filesOf(post.content) : [])])].filter(Boolean);

const filesOf = (content: string): string[] => filesShownIn(content, connect().site.bucketId);
