/** Posts, from the browser. The order of calls is chosen so that no failure leaves a post without its pictures (product.md). */

import { Query } from 'appwrite';
import { filesShownIn } from '#blog/images.ts';
import { faultOf } from '#blog/messages.ts';
import { isForgery, postPermissions } from '#blog/permissions.ts';
import type { Post, PostStatus, PostSummary } from '#blog/post.ts';
import { connect, logged } from './client.ts';
import { type ArticleDocument, postOf, SUMMARY_FIELDS, summaryOf } from './document.ts';
import { deleteFile, type Progress, shareFiles, uploadFile } from './files.ts';

export interface ListOptions {
  /** Default `active`. */
  readonly status?: PostStatus;
  /** Only this author's posts. */
  readonly userId?: string;
  /** The `cursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Posts a page, default 24. */
  readonly limit?: number;
  /** Words of the title. */
  readonly search?: string;
}

export interface PostList {
  readonly posts: PostSummary[];
  readonly total: number;
  /** Hand it to the next call; undefined at the end. */
  readonly cursor: string | undefined;
}

/** Newest first. */
export function listPosts(options: ListOptions = {}): Promise<PostList> {
  return logged('listPosts', async () => {
    const { status = 'active', userId, cursor, limit = 24, search } = options;
    const { documents, total } = await connect().databases.listDocuments<ListedDocument>({
      ...place(),
      queries: [
        Query.equal('status', status),
        ...(userId ? [Query.equal('userId', userId)] : []),
        ...(search ? [Query.search('title', search)] : []),
        Query.orderDesc('$createdAt'),
        Query.limit(limit),
        ...(cursor ? [Query.cursorAfter(cursor)] : []),
        Query.select(SUMMARY_FIELDS),
      ],
    });
    const posts = documents.map(summaryOf).filter((post) => !isForgery(post));
    return { posts, total, cursor: documents.length === limit ? documents.at(-1)?.$id : undefined };
  });
}

/** The post, or undefined when there is none that this user may read. */
export function getPost(slug: string): Promise<Post | undefined> {
  return logged('getPost', async () => {
    try {
      return postOf(await connect().databases.getDocument<ListedDocument>({ ...place(), documentId: slug }));
    } catch (error) {
      if (faultOf(error).code === 404) return undefined;
      throw error;
    }
  });
}

export interface NewPost {
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly status: PostStatus;
  readonly userId: string;
  readonly image: File;
}

/** Uploads the image, then creates the post; if that fails, the image is deleted again. */
export function createPost(draft: NewPost, onProgress?: (progress: Progress) => void): Promise<Post> {
  return logged('createPost', async () => {
    const { slug, title, content, status, userId, image } = draft;
    const featuredImage = await uploadFile(image, { userId, status, ...(onProgress && { onProgress }) });
    try {
      if (status === 'active') await shareFiles(filesOf(content), status, userId);
      const document = await connect().databases.createDocument<ListedDocument>({
        ...place(),
        documentId: slug,
        data: { title, content, featuredImage, status, userId },
        permissions: postPermissions(status, userId),
      });
      return postOf(document);
    } catch (error) {
      await deleteFile(featuredImage);
      throw error;
    }
  });
}

export interface PostChanges {
  readonly title: string;
  readonly content: string;
  readonly status: PostStatus;
  /** Takes the place of the featured image. */
  readonly image?: File | undefined;
}

/**
 * Updates `post`, as it was loaded, and its files' permissions with it. A new image is uploaded first, and the old one
 * deleted only when the post no longer names it; if the update fails, the new one is deleted.
 */
export function updatePost(post: Post, changes: PostChanges, onProgress?: (progress: Progress) => void): Promise<Post> {
  return logged('updatePost', async () => {
    const { title, content, status, image } = changes;
    const { id, userId } = post;
    const uploaded = image && (await uploadFile(image, { userId, status, ...(onProgress && { onProgress }) }));
    const featuredImage = uploaded ?? post.featuredImage;
    const files = [...(featuredImage && !uploaded ? [featuredImage] : []), ...filesOf(content)];
    try {
      // Published: the pictures first, so that the public never sees a post with holes.
      if (status === 'active') await shareFiles(files, status, userId);
      const document = await connect().databases.updateDocument<ListedDocument>({
        ...place(),
        documentId: id,
        data: { title, content, featuredImage, status },
        permissions: postPermissions(status, userId),
      });
      if (status === 'inactive') await shareFiles(files, status, userId);
      if (uploaded && post.featuredImage) await deleteUnused([post.featuredImage], userId);
      return postOf(document);
    } catch (error) {
      if (uploaded) await deleteFile(uploaded);
      throw error;
    }
  });
}

/** Deletes the post, then its files. False when the post is still there; the reason is in the log. */
export async function deletePost(post: Post | PostSummary): Promise<boolean> {
  try {
    await connect().databases.deleteDocument({ ...place(), documentId: post.id });
  } catch (error) {
    console.error('deletePost:', error);
    return false;
  }
  const shown = 'content' in post ? filesOf(post.content) : [];
  await deleteUnused([...new Set([post.featuredImage, ...shown])].filter(Boolean), post.userId);
  return true;
}

/** Deletes files that no other post of their owner shows. When that cannot be found out, the file stays. */
async function deleteUnused(fileIds: readonly string[], userId: string): Promise<void> {
  for (const fileId of fileIds) {
    try {
      if (!(await isShown(fileId, userId))) await deleteFile(fileId);
    } catch (error) {
      console.error(`deleteUnused: ${fileId}:`, error);
    }
  }
}

async function isShown(fileId: string, userId: string): Promise<boolean> {
  const { total } = await connect().databases.listDocuments({
    ...place(),
    queries: [
      Query.equal('userId', userId),
      Query.or([Query.equal('featuredImage', fileId), Query.contains('content', fileId)]),
      Query.limit(1),
      Query.select(['$id']),
    ],
  });
  return total > 0;
}

type ListedDocument = ArticleDocument & import('appwrite').Models.Document;

const filesOf = (content: string): string[] => filesShownIn(content, connect().site.bucketId);

function place(): { databaseId: string; collectionId: string } {
  const { databaseId, collectionId } = connect().site;
  return { databaseId, collectionId };
}
