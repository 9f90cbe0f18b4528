/**
 * Writes posts, pictures and authors with the server key, for imports and seeding. The key may write anything, so
 * callers must follow the rules in `blog/permissions.ts`.
 */

import { randomBytes } from 'node:crypto';
import { ID, Query } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import { type Post, type PostStatus, type PostValues, writtenValues } from '#blog/post.ts';
import type { User } from '#blog/user.ts';
import { literal } from '../document.ts';
import { databasesAsOf, fileAt, postAt, servicesFor } from '../keyed-backend.ts';
import { hideAll } from '../sweep/exposed.ts';
import type { ServerTarget, SessionTarget } from '../target.ts';
import { unless } from '../unless.ts';

/** `createdAt` and `updatedAt`, ISO dates, become the document's `$createdAt` and `$updatedAt`. */
export interface WrittenPost extends PostValues {
  readonly id: string;
  readonly userId: string;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

export interface NewFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: Buffer;
  readonly status: PostStatus;
  readonly userId: string;
}

export type Admin = ReturnType<typeof createAdmin>;

/** Every method rejects with the SDK's error if the backend refuses the request. */
export function createAdmin(target: ServerTarget | SessionTarget) {
  const backend = servicesFor(target);
  const { databases, storage, users, articles: place, bucketId } = backend;

  return {
    async authorByEmail(email: string): Promise<User | undefined> {
      const found = await users.list({ queries: [Query.equal('email', email.trim().toLowerCase()), Query.limit(1)] });
      return found.users[0] && userOf(found.users[0]);
    },

    /** Creates an account and returns its password, which is random unless given. */
    async createAuthor({
      email,
      name,
      password = randomPassword(),
    }: {
      email: string;
      name: string;
      password?: string;
    }) {
      const made = await users.create({ userId: ID.unique(), email: email.trim().toLowerCase(), name, password });
      return { user: userOf(made), password };
    },

    /** Creates an account without a password for an author of imported posts, who can set one with a recovery email. */
    async createByline({ id: userId, name, email }: { id: string; name: string; email?: string | undefined }) {
      await users.create({ userId, name, ...(email && { email: email.trim().toLowerCase() }) });
    },

    async hasUser(userId: string): Promise<boolean> {
      return (await unless('user_not_found', users.get({ userId }))) !== undefined;
    },

    post: (id: string) => postAt(backend, id),

    async createPost(post: WrittenPost): Promise<void> {
      const { id: documentId, status, userId } = post;
      const permissions = postPermissions(status, userId);
      await databases.createDocument({ ...place, documentId, data: dataOf(post), permissions });
    },

    /** Keeps the creation date if `createdAt` is missing. Clears fields that only `former`, the stored post, has. */
    async updatePost(post: WrittenPost, former?: Post): Promise<void> {
      const { id: documentId, status, userId } = post;
      const permissions = postPermissions(status, userId);
      await databases.updateDocument({ ...place, documentId, data: literal(dataOf(post, former)), permissions });
    },

    /**
     * Creates a post or, with `former`, updates that post if it has not changed since it was read. Returns the new
     * `$updatedAt`; undefined if another client wrote the post first.
     */
    async putPost(post: WrittenPost, former?: Post): Promise<string | undefined> {
      const { id: documentId, status, userId } = post;
      const write = { ...place, documentId, permissions: postPermissions(status, userId) };
      return unlessChanged(
        former
          ? databasesAsOf(target, former.updatedAt).updateDocument({ ...write, data: literal(dataOf(post, former)) })
          : databases.createDocument({ ...write, data: dataOf(post) }),
      );
    },

    async deletePost({ id: documentId, updatedAt }: Pick<Post, 'id' | 'updatedAt'>): Promise<boolean> {
      const deleted = databasesAsOf(target, updatedAt).deleteDocument({ ...place, documentId });
      return (await unlessChanged(deleted.then(() => ({ $updatedAt: updatedAt })))) !== undefined;
    },

    async hasFile(fileId: string): Promise<boolean> {
      return (await fileAt(backend, fileId)) !== undefined;
    },

    /** Returns Appwrite's permission strings; undefined if the file is missing. */
    async permissionsOf(fileId: string): Promise<readonly string[] | undefined> {
      return (await fileAt(backend, fileId))?.$permissions;
    },

    async uploadFile({ id: fileId, name, bytes, status, userId }: NewFile): Promise<void> {
      const file = InputFile.fromBuffer(bytes, name);
      await storage.createFile({ bucketId, fileId, file, permissions: filePermissions(status, userId) });
    },

    async shareFile(fileId: string, status: PostStatus, userId: string): Promise<void> {
      await storage.updateFile({ bucketId, fileId, permissions: filePermissions(status, userId) });
    },

    /** Makes the public files of user `userId` private, except those that a published post shows. */
    hideFiles: (ids: Iterable<string>, userId: string) => hideAll(backend, ids, userId),

    async deleteFile(fileId: string): Promise<void> {
      await unless('storage_file_not_found', storage.deleteFile({ bucketId, fileId }));
    },
  };
}

function dataOf({ userId, createdAt, updatedAt = createdAt, ...post }: WrittenPost, former?: Post) {
  return {
    ...writtenValues(post, former),
    featuredImage: post.featuredImage,
    userId,
    ...(createdAt && { $createdAt: createdAt }),
    ...(updatedAt && { $updatedAt: updatedAt }),
  };
}

async function unlessChanged(write: Promise<{ readonly $updatedAt: string }>): Promise<string | undefined> {
  return (await unless(409, write))?.$updatedAt;
}

const userOf = ({ $id, email, name }: { $id: string; email: string; name: string }): User => ({ id: $id, email, name });

/** Returns a password of 24 characters that meets the form's rules: upper and lower case, a digit and a symbol. */
const randomPassword = (): string => `${randomBytes(15).toString('base64url').slice(0, 20)}-aA1`;
