import { Databases, type Models, Query, Storage, Teams, Users } from 'node-appwrite';
import { isForgery } from '#blog/permissions.ts';
import type { Post } from '#blog/post.ts';
import { type ArticleDocument, postOf } from './document.ts';
import { type CollectionName, collectionIds } from './schema.ts';
import { clientFor, type ServerTarget, type SessionTarget } from './target.ts';
import { unless } from './unless.ts';
import type { List } from './walk.ts';

/** The SDK's services for a backend, and the ids of the product's collections and bucket in it. */
export interface BackendServices extends Places {
  readonly databases: Databases;
  readonly storage: Storage;
  readonly users: Users;
  readonly teams: Teams;
  readonly bucketId: string;
}

export interface KeyedBackend extends BackendServices {
  readonly target: ServerTarget;
}

export interface Collection {
  readonly databaseId: string;
  readonly collectionId: string;
}

type Places = Readonly<Record<CollectionName, Collection>>;

export const keyedBackend = (target: ServerTarget): KeyedBackend => ({ ...servicesFor(target), target });

export function servicesFor(target: ServerTarget | SessionTarget): BackendServices {
  const { databaseId, bucketId } = target;
  const client = clientFor(target);
  const places = Object.entries(collectionIds(target)).map(([name, collectionId]) => [
    name,
    { databaseId, collectionId },
  ]);
  return {
    databases: new Databases(client),
    storage: new Storage(client),
    users: new Users(client),
    teams: new Teams(client),
    ...(Object.fromEntries(places) as Places),
    bucketId,
  };
}

/**
 * Returns a client whose writes fail with 409 if the document has changed since `moment`, its last known `$updatedAt`.
 */
export const databasesAsOf = (target: ServerTarget | SessionTarget, moment: string): Databases =>
  new Databases(clientFor(target).addHeader('X-Appwrite-Timestamp', moment));

/**
 * Returns a function that lists documents with these fields. The list is empty if the site does not have the collection
 * for former versions or synced files yet.
 */
export const documentsOf =
  (
    { databases, revisions, syncedFiles }: BackendServices,
    place: Collection,
    fields: readonly string[],
    ...among: readonly string[]
  ): List<Listed> =>
  async (queries) => {
    const all = [Query.select([...fields]), ...among, ...queries];
    const asked = databases.listDocuments({ ...place, queries: all, total: false });
    const list =
      place === revisions || place === syncedFiles ? await unless('collection_not_found', asked) : await asked;
    return list?.documents ?? [];
  };

export const filesOf =
  ({ storage, bucketId }: BackendServices): List<Models.File> =>
  async (queries) =>
    (await storage.listFiles({ bucketId, queries, total: false })).files;

export const accountsOf =
  ({ users }: BackendServices): List<Models.User> =>
  async (queries) =>
    (await users.list({ queries, total: false })).users;

type Listed = ArticleDocument & { readonly $id: string };

/** Returns the post at `slug`, even a draft or one with a forged `userId`; undefined if it does not exist. */
export async function postAt(backend: BackendServices, slug: string): Promise<Post | undefined> {
  const document = await postDocument(backend, slug);
  return document && postOf(document);
}

/** Like `postAt`, but also returns undefined if `userId` is forged, that is, if that user may not update the post. */
export async function genuinePostAt(backend: BackendServices, slug: string): Promise<Post | undefined> {
  const post = await postAt(backend, slug);
  return post && !isForgery(post) ? post : undefined;
}

/** Returns the document of a post. @throws the SDK's error if the collection is missing */
export function postDocument({ databases, articles }: BackendServices, slug: string, fields?: readonly string[]) {
  const queries = fields ? [Query.select([...fields])] : [];
  return unless(
    'document_not_found',
    databases.getDocument<ArticleDocument & Models.Document>({ ...articles, documentId: slug, queries }),
  );
}

export const fileAt = ({ storage, bucketId }: BackendServices, fileId: string): Promise<Models.File | undefined> =>
  unless('storage_file_not_found', storage.getFile({ bucketId, fileId }));

export const naming = (fileId: string): string =>
  Query.or([Query.equal('featuredImage', fileId), Query.contains('content', fileId)]);

/** Returns the ids of all files, in any bucket, that the HTML references. */
export function filesNamedIn(html: string): string[] {
  return Array.from(html.matchAll(/\/files\/([A-Za-z0-9][\w.-]{0,35})/g), ([, id]) => id as string);
}
