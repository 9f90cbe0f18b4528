/** Reaches posts, versions and files of a backend with a server key. */

import { Databases, type Models, Query, Storage } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { ArticleDocument } from '../document.ts';
import { type ServerTarget, serverClient } from '../target.ts';
import type { List } from '../walk.ts';

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
  readonly mayBeMissing: boolean;
}

export function reach(target: ServerTarget): Reach {
  const { databaseId, collectionId, revisionsId, bucketId } = target;
  const client = serverClient(target);
  return {
    databases: new Databases(client),
    storage: new Storage(client),
    articles: { databaseId, collectionId, mayBeMissing: false },
    revisions: { databaseId, collectionId: revisionsId, mayBeMissing: true },
    bucketId,
  };
}

/** Lists the documents of a collection with these fields; none if an optional collection is missing. */
export const documentsOf =
  ({ databases }: Reach, { mayBeMissing, ...place }: Collection, fields: readonly string[]): List<Listed> =>
  async (queries) => {
    const asked = databases.listDocuments({ ...place, queries: [Query.select([...fields]), ...queries], total: false });
    const list = mayBeMissing ? await unless('collection_not_found', asked) : await asked;
    return list?.documents ?? [];
  };

type Listed = ArticleDocument & { readonly $id: string };

/**
 * Returns the post at `slug`; undefined if there is none.
 * @throws the SDK's error if the collection is missing
 */
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

/** Returns the answer; undefined for an error of this type. */
export async function unless<T>(type: string, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (faultOf(error).type === type) return undefined;
    throw error;
  }
}

/** Returns a query for posts or versions that name a file. */
export const naming = (fileId: string): string =>
  Query.or([Query.equal('featuredImage', fileId), Query.contains('content', fileId)]);

/** Returns every file id in a text, of any bucket. */
export function filesNamedIn(html: string): string[] {
  return Array.from(html.matchAll(/\/files\/([A-Za-z0-9][\w.-]{0,35})/g), ([, id]) => id as string);
}
