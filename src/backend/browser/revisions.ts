/**
 * Former versions of a post, from the browser, for their author's eyes only. One is kept before it is overwritten,
 * under an id that names it: keeping it twice, in two tabs or after a lost answer, keeps one.
 */

import { ID, Query } from 'appwrite';
import { faultOf } from '#blog/errors.ts';
import { type Post, type PostStatus, type PostValues, postValues } from '#blog/post.ts';
import type { ArticleDocument } from '../document.ts';
import { keptPictureId, revisionId } from '../revision-ids.ts';
import { connect, logged } from './client.ts';
import { copyFile, deleteFile, fetchFile } from './files.ts';

/** Most versions that are kept of a post. */
export const REVISIONS_KEPT = 50;

/** A former version as lists carry it: everything but the text. */
export interface RevisionSummary {
  readonly id: string;
  readonly title: string;
  readonly status: PostStatus;
  /** When that version was published: an ISO date. */
  readonly writtenAt: string;
  /** Characters of title and HTML. */
  readonly size: number;
}

/** Its `featuredImage` is the id under which the picture was stored. See `formerPicture`. */
export interface Revision extends RevisionSummary, PostValues {
  readonly title: string;
  readonly status: PostStatus;
}

/** `kept`: it is there. `unavailable`: this backend has no place for former versions, or none that fits. */
export type KeepResult = 'kept' | 'unavailable';

/**
 * Keeps `post` as it was loaded. Former versions beyond the fiftieth go.
 * @throws the SDK's error when it is not known to be kept and another attempt may succeed.
 */
export async function keepRevision(post: Post): Promise<KeepResult> {
  const { id: postId, title, content, updatedAt: versionOf, userId } = post;
  const data = { postId, versionOf, ...postValues(post), size: title.length + content.length };
  const author = `user:${userId}`;
  const permissions = ['read', 'update', 'delete'].map((right) => `${right}("${author}")`);
  const create = (documentId: string) =>
    connect().databases.createDocument({ ...collectionIds(), documentId, data, permissions });
  try {
    const documentId = revisionId(post);
    await create(documentId).catch(async (error: unknown) => {
      if (faultOf(error).code !== 409) throw error;
      // Anybody may have taken the id: only what this author may change is his.
      if (!(await isMine(documentId, userId))) await create(ID.unique());
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    console.warn('keepRevision: former versions are not kept:', faultOf(error).message);
    return 'unavailable';
  }
  // It runs in the background: the next one removes what it leaves.
  prune(post).catch((error: unknown) => console.error('keepRevision: older versions were not removed:', error));
  return 'kept';
}

/** The former versions of `post`, newest first; undefined where none are kept. */
export function listRevisions(post: Post): Promise<RevisionSummary[] | undefined> {
  return logged('listRevisions', async () => {
    try {
      const all = await ownRevisions(post, [...SUMMARY]);
      // The present version is kept ahead of its being overwritten; it is no former one yet.
      return all.map(summaryOf).filter(({ writtenAt }) => Date.parse(writtenAt) !== Date.parse(post.updatedAt));
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  });
}

/** One version with its text. */
export function getRevision(id: string): Promise<Revision> {
  return logged('getRevision', async () => {
    const document = await connect().databases.getDocument<ListedDocument>({ ...collectionIds(), documentId: id });
    return { ...summaryOf(document), ...postValues(document) };
  });
}

/** Keeps the featured image of former versions before its file is deleted: a copy for its author alone. */
export const keepFormerPicture = (fileId: string, userId: string): Promise<void> =>
  copyFile(fileId, keptPictureId(fileId), userId);

/** The featured image of a former version, from its own file or from the copy; undefined when neither can be had. */
export const formerPicture = (fileId: string): Promise<File | undefined> =>
  fetchFile(fileId)
    .catch(() => fetchFile(keptPictureId(fileId)))
    .catch(() => undefined);

/**
 * Deletes the versions of a post that is gone, and the copies of their pictures. What cannot be deleted is logged: nobody
 * but its author can see it.
 */
export async function deleteRevisions(post: Pick<Post, 'id' | 'userId'>): Promise<void> {
  try {
    const own = await ownRevisions(post, ['$id', '$permissions', 'featuredImage']);
    await remove(own);
    for (const id of new Set(own.map(({ featuredImage }) => text(featuredImage)).filter(Boolean)))
      await deleteFile(keptPictureId(id), { mayBeMissing: true });
  } catch (error) {
    if (!isUnavailable(error)) console.error('deleteRevisions:', error);
  }
}

type ListedDocument = ArticleDocument & import('appwrite').Models.Document;

const SUMMARY = ['$id', '$permissions', 'title', 'status', 'versionOf', 'size'] as const;
const PAGE = 100;
/** Pages looked through at most: beyond those kept there can only be what others put there. */
const MOST_PAGES = 5;

/** Anybody signed in may write a document that names this post; only the author's own count. */
async function ownRevisions({ id, userId }: Pick<Post, 'id' | 'userId'>, fields: string[]): Promise<ListedDocument[]> {
  const own: ListedDocument[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { documents } = await connect().databases.listDocuments<ListedDocument>({
      ...collectionIds(),
      queries: [
        Query.equal('postId', id),
        Query.orderDesc('versionOf'),
        Query.limit(PAGE),
        ...(cursor ? [Query.cursorAfter(cursor)] : []),
        Query.select(fields),
      ],
    });
    own.push(...documents.filter((document) => changeableBy(document, userId)));
    cursor = documents.at(-1)?.$id;
    if (documents.length < PAGE) break;
  }
  return own;
}

async function prune(post: Post): Promise<void> {
  await remove((await ownRevisions(post, ['$id', '$permissions'])).slice(REVISIONS_KEPT));
}

async function remove(documents: readonly ListedDocument[]): Promise<void> {
  for (const { $id: documentId } of documents) {
    await connect()
      .databases.deleteDocument({ ...collectionIds(), documentId })
      .catch((error: unknown) => {
        if (faultOf(error).code !== 404) throw error;
      });
  }
}

async function isMine(documentId: string, userId: string): Promise<boolean> {
  try {
    return changeableBy(
      await connect().databases.getDocument<ListedDocument>({ ...collectionIds(), documentId }),
      userId,
    );
  } catch (error) {
    if (faultOf(error).type === 'document_not_found') return false;
    throw error;
  }
}

const changeableBy = ({ $permissions }: ListedDocument, userId: string) =>
  $permissions.includes(`update("user:${userId}")`);

/**
 * No collection, one of another shape, or one in which this user may not write: asking again would not help. A 401
 * that comes of an ended session is told by the update that follows.
 */
function isUnavailable(error: unknown): boolean {
  const { code } = faultOf(error);
  return code === 400 || code === 401 || code === 403 || code === 404;
}

const summaryOf = (document: ListedDocument): RevisionSummary => ({
  id: document.$id,
  title: text(document.title),
  status: document.status === 'active' ? 'active' : 'inactive',
  writtenAt: text(document.versionOf),
  size: Number(document.size) || 0,
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function collectionIds(): { databaseId: string; collectionId: string } {
  const { databaseId, revisionsId } = connect().site;
  return { databaseId, collectionId: revisionsId };
}
