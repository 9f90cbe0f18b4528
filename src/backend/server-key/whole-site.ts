import { Query } from 'node-appwrite';
import type { Person } from '#blog/people.ts';
import type { Post } from '#blog/post.ts';
import { postOf } from '../document.ts';
import { accountsOf, type BackendServices, documentsOf, fileAt, keyedBackend } from '../keyed-backend.ts';
import { everyMember } from '../people/site-team.ts';
import type { ServerTarget } from '../target.ts';
import { items } from '../walk.ts';

export type Account = Pick<Person, 'id' | 'name' | 'email' | 'role'>;

export type WholeSite = ReturnType<typeof wholeSite>;

/** Documents per request: `PAGE` with their texts, `SHORT_PAGE` without. */
const PAGE = 20;
const SHORT_PAGE = 500;

/** Reads all posts, files and accounts of a site. Every method rejects with the SDK's error if the backend fails. */
export function wholeSite(target: ServerTarget) {
  const backend = keyedBackend(target);
  const { articles } = backend;
  return {
    ...postsAndFiles(backend),
    async slugs(): Promise<Set<string>> {
      const listed = await Array.fromAsync(items(documentsOf(backend, articles, ['$id']), SHORT_PAGE));
      return new Set(listed.map(({ $id }) => $id));
    },
    async *posts(): AsyncGenerator<Post> {
      for await (const document of items(documentsOf(backend, articles, ['*']), PAGE)) yield postOf(document);
    },
    async accounts(): Promise<Account[]> {
      const members = new Map((await everyMember(target)).map(({ userId, role }) => [userId, role]));
      const found = await Array.fromAsync(items(accountsOf(backend)));
      return found.map(({ $id, name, email }) => ({ id: $id, name, email, role: members.get($id) }));
    },
  };
}

/** @param whose queries that select the posts (default: all posts) */
export function postsAndFiles(backend: BackendServices, ...whose: string[]) {
  const { articles, syncedFiles, storage, bucketId } = backend;
  const list = documentsOf(backend, articles, ['$id', '$updatedAt'], ...whose);
  return {
    /** Maps each post's slug to the time of its last change (ISO date). */
    async versions(): Promise<Map<string, string>> {
      const listed = await Array.fromAsync(items(list, SHORT_PAGE));
      return new Map(listed.map(({ $id, $updatedAt }) => [$id, $updatedAt]));
    },
    /** Returns a string that changes whenever a post is written or an author settles a conflict in the post form. */
    async lastChange(): Promise<string> {
      // Lists several posts, because one whose `$updatedAt` is in the future would hide later changes to others.
      const newest = [Query.orderDesc('$updatedAt'), Query.limit(PAGE)];
      const settled = documentsOf(backend, syncedFiles, ['$id', '$updatedAt'], Query.equal('state', 'settled'));
      const lists = [list(newest), settled(newest)];
      return (await Promise.all(lists))
        .flat()
        .map(({ $id, $updatedAt }) => `${$id} ${$updatedAt}`)
        .join();
    },
    /** Returns undefined for a missing file. */
    async file(fileId: string) {
      const file = await fileAt(backend, fileId);
      if (!file) return undefined;
      const bytes = Buffer.from(await storage.getFileView({ bucketId, fileId }));
      return { name: file.name, mimeType: file.mimeType, bytes };
    },
  };
}
