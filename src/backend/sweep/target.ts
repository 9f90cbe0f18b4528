/** The backend as the sweep reaches it: with the server key, past every permission. */

import { Client, Databases, type Models, Query, Storage } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { ArticleDocument } from '../document.ts';
import type { BackendIds } from '../schema.ts';

export interface SweepTarget extends BackendIds {
  readonly endpoint: string;
  readonly projectId: string;
  /** Needs the scopes documents and files, each read and write. */
  readonly apiKey: string;
}

export interface Reach {
  readonly databases: Databases;
  readonly storage: Storage;
  readonly articles: Collection;
  readonly revisions: Collection;
  readonly bucketId: string;
}

export interface Collection {
  readonly databaseId: string;
  readonly collectionId: string;
  /** A backend may lack it: then it holds nothing. */
  readonly mayBeMissing: boolean;
}

export function reach({ databaseId, collectionId, revisionsId, bucketId, ...target }: SweepTarget): Reach {
  const client = new Client().setEndpoint(target.endpoint).setProject(target.projectId).setKey(target.apiKey);
  return {
    databases: new Databases(client),
    storage: new Storage(client),
    articles: { databaseId, collectionId, mayBeMissing: false },
    revisions: { databaseId, collectionId: revisionsId, mayBeMissing: true },
    bucketId,
  };
}

/** A walk begins again when the document it stands on is deleted; after so many times it is given up. */
const BEGINNINGS = 5;

/**
 * Visits every document of a collection, some of them twice, until `isDone`. The order is that of their making, so that
 * what is written meanwhile is not passed over.
 */
export async function everyDocument(
  { databases }: Reach,
  { mayBeMissing, ...place }: Collection,
  fields: readonly string[],
  page: number,
  visit: (document: ArticleDocument) => void,
  isDone: () => boolean = () => false,
): Promise<void> {
  let cursor: string | undefined;
  for (let beginnings = 0; !isDone(); ) {
    const queries = [Query.limit(page), Query.select([...fields]), ...(cursor ? [Query.cursorAfter(cursor)] : [])];
    try {
      const { documents } = await databases.listDocuments({ ...place, queries, total: false });
      for (const document of documents) visit(document);
      if (documents.length < page) return;
      cursor = documents.at(-1)?.$id;
    } catch (error) {
      const { type } = faultOf(error);
      if (mayBeMissing && type === 'collection_not_found') return;
      beginnings += 1;
      if (type !== 'general_cursor_not_found' || beginnings > BEGINNINGS) throw error;
      cursor = undefined;
    }
  }
}

/** The post at `slug`; undefined where there is none. A 404 of another kind says that the collection is not there, and is thrown. */
export function postDocument({ databases, articles }: Reach, slug: string, fields?: readonly string[]) {
  const { mayBeMissing: _, ...place } = articles;
  const queries = fields ? [Query.select([...fields])] : [];
  return unless(
    'document_not_found',
    databases.getDocument<ArticleDocument & Models.Document>({ ...place, documentId: slug, queries }),
  );
}

export const fileAt = ({ storage, bucketId }: Reach, fileId: string): Promise<Models.File | undefined> =>
  unless('storage_file_not_found', storage.getFile({ bucketId, fileId }));

/** What the backend gives, undefined when it says `type` instead. */
export async function unless<T>(type: string, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (faultOf(error).type === type) return undefined;
    throw error;
  }
}

/** Posts, or versions of them, that name a file. */
export const naming = (fileId: string): string =>
  Query.or([Query.equal('featuredImage', fileId), Query.contains('content', fileId)]);

/** Every file that a text names in any way, of whatever bucket: rather one too many. */
export function filesNamedIn(html: string): string[] {
  return Array.from(html.matchAll(/\/files\/([A-Za-z0-9][\w.-]{0,35})/g), ([, id]) => id as string);
}
