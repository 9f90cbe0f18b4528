import { Query } from 'node-appwrite';
import type { Person } from '#blog/people.ts';
import type { Post } from '#blog/post.ts';
import { postOf } from '../document.ts';
import { type BackendServices, documentsOf, fileAt, keyedBackend } from '../keyed-backend.ts';
import { everyMember } from '../people/site-team.ts';
import type { ServerTarget } from '../target.ts';
import { items } from '../walk.ts';

export type Account = Pick<Person, 'id' | 'name' | 'email' | 'role'>;

/** Reads all posts, files and accounts of a site. Methods throw the SDK's error. */
export interface WholeSite {
  slugs(): Promise<Set<string>>;
  /** Maps slugs to the time of the last change (ISO date). */
  versions(): Promise<Map<string, string>>;
  /** Returns a string that changes with the posts, and whenever a conflict is settled in the form. */
  lastChange(): Promise<string>;
  posts(): AsyncGenerator<Post>;
  accounts(): Promise<Account[]>;
  /** Returns undefined for a missing file. */
  file(id: string): Promise<{ readonly name: string; readonly mimeType: string; readonly bytes: Buffer } | undefined>;
}

/** Documents per request, with and without their texts. */
const PAGE = 20;
const SHORT_PAGE = 500;

export function wholeSite(target: ServerTarget): WholeSite {
  const backend = keyedBackend(target);
  const { articles, users } = backend;
  return {
    ...postsAndFiles(backend),
    async slugs() {
      const listed = await Array.fromAsync(items(documentsOf(backend, articles, ['$id']), SHORT_PAGE));
      return new Set(listed.map(({ $id }) => $id));
    },
    async *posts() {
      for await (const document of items(documentsOf(backend, articles, ['*']), PAGE)) yield postOf(document);
    },
    async accounts() {
      const members = new Map((await everyMember(target)).map(({ userId, role }) => [userId, role]));
      const list = async (queries: string[]) => (await users.list({ queries, total: false })).users;
      const found = await Array.fromAsync(items(list));
      return found.map(({ $id, name, email }) => ({ id: $id, name, email, role: members.get($id) }));
    },
  };
}

/** @param whose queries that restrict the posts; by default, all of them */
export function postsAndFiles(
  backend: BackendServices,
  ...whose: string[]
): Pick<WholeSite, 'versions' | 'lastChange' | 'file'> {
  const { articles, syncedFiles, storage, bucketId } = backend;
  const list = documentsOf(backend, articles, ['$id', '$updatedAt'], ...whose);
  return {
    async versions() {
      const listed = await Array.fromAsync(items(list, SHORT_PAGE));
      return new Map(listed.map(({ $id, $updatedAt }) => [$id, $updatedAt]));
    },
    async lastChange() {
      // Lists more than one post, because a post may have a date in the future.
      const newest = [Query.orderDesc('$updatedAt'), Query.limit(PAGE)];
      const settled = documentsOf(backend, syncedFiles, ['$id', '$updatedAt'], Query.equal('state', 'settled'));
      const lists = [list(newest), settled(newest)];
      return (await Promise.all(lists))
        .flat()
        .map(({ $id, $updatedAt }) => `${$id} ${$updatedAt}`)
        .join();
    },
    async file(fileId) {
      const file = await fileAt(backend, fileId);
      if (!file) return undefined;
      const bytes = Buffer.from(await storage.getFileView({ bucketId, fileId }));
      return { name: file.name, mimeType: file.mimeType, bytes };
    },
  };
}
