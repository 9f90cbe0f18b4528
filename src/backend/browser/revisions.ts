/**
 * Saves a post's current version before an update overwrites it. Only the author can read these former versions. Each
 * id is derived from the post's id and `updatedAt`, so that two tabs or a repeated request store a version only once.
 */

import { ID, Query } from 'appwrite';
import { faultOf } from '#blog/errors.ts';
import { type Post, type PostStatus, type PostValues, postValues } from '#blog/post.ts';
import { keptPictureId, revisionId } from '../revision-ids.ts';
import { unless } from '../unless.ts';
import { connect, type ListedDocument, logged } from './client.ts';
import { copyFile, deleteFile, fetchFile } from './files.ts';

export const REVISIONS_KEPT = 50;

export interface RevisionSummary {
  readonly id: string;
  readonly title: string;
  readonly status: PostStatus;
  readonly writtenAt: string;
  /** Number of characters in the title and the HTML. */
  readonly size: number;
}

/** `featuredImage` is the original picture's id. If that file was deleted, `formerPicture` returns its copy. */
export interface Revision extends RevisionSummary, PostValues {
  readonly title: string;
  readonly status: PostStatus;
}

/** `unavailable`: the collection is missing, has unexpected attributes, or denies this user access. */
export type KeepResult = 'kept' | 'unavailable';

/**
 * Saves `post` as it was loaded, and deletes all but the newest fifty versions.
 * @throws the SDK's error if the version may not have been saved and another attempt may succeed
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
    // If the id is taken, either the author has already saved this version, or the document is another user's. In the
    // second case, the version gets a new id.
    const isKept = (await unless(409, create(documentId))) !== undefined || (await isMine(documentId, userId));
    if (!isKept) await create(ID.unique());
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    console.warn('keepRevision: former versions are not kept:', faultOf(error).message);
    return 'unavailable';
  }
  // Runs in the background. If it fails, the next call deletes the leftover versions.
  prune(post).catch((error: unknown) => console.error('keepRevision: older versions were not removed:', error));
  return 'kept';
}

/** Returns the former versions of `post`, newest first; undefined if the backend keeps none. */
export function listRevisions(post: Post): Promise<RevisionSummary[] | undefined> {
  return logged('listRevisions', async () => {
    try {
      const all = await ownRevisions(post, [...SUMMARY]);
      // Leaves out the current version, which is already stored if the form's update failed after `keepRevision`.
      return all.map(summaryOf).filter(({ writtenAt }) => Date.parse(writtenAt) !== Date.parse(post.updatedAt));
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  });
}

export function getRevision(id: string): Promise<Revision> {
  return logged('getRevision', async () => {
    const document = await connect().databases.getDocument<ListedDocument>({ ...collectionIds(), documentId: id });
    return { ...summaryOf(document), ...postValues(document) };
  });
}

/** Copies a featured image for former versions before its file is deleted. Only the author can read the copy. */
export const keepFormerPicture = (fileId: string, userId: string): Promise<void> =>
  copyFile(fileId, keptPictureId(fileId), userId);

/** Returns the featured image of a former version, from its own file or the copy; undefined if neither can be read. */
export const formerPicture = (fileId: string): Promise<File | undefined> =>
  fetchFile(fileId)
    .catch(() => fetchFile(keptPictureId(fileId)))
    .catch(() => undefined);

/**
 * Deletes the versions of a deleted post and the copies of their pictures. Only logs failures, because no one but the
 * author can read the leftovers.
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

const SUMMARY = ['$id', '$permissions', 'title', 'status', 'versionOf', 'size'] as const;
const PAGE = 100;
/** Maximum number of pages to request. The author has at most fifty versions, but other users can add any number. */
const MOST_PAGES = 5;

/** Lists only the author's own versions, because any user may add a document with this post's id as `postId`. */
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
    await unless(404, connect().databases.deleteDocument({ ...collectionIds(), documentId }));
  }
}

async function isMine(documentId: string, userId: string): Promise<boolean> {
  const found = connect().databases.getDocument<ListedDocument>({ ...collectionIds(), documentId });
  const document = await unless('document_not_found', found);
  return document !== undefined && changeableBy(document, userId);
}

const changeableBy = ({ $permissions }: ListedDocument, userId: string) =>
  $permissions.includes(`update("user:${userId}")`);

/**
 * Returns true if a retry would fail too: the collection is missing, has unexpected attributes, or denies this user
 * access. An ended session also causes a 401, which the form's next request reports.
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
