/** Reads and writes a user's own posts with that user's session, outside a browser. */
import { Account, Query } from 'node-appwrite';
import type { User } from '#blog/user.ts';
import { servicesFor } from '../keyed-backend.ts';
import { type Admin, createAdmin } from '../server-key/admin.ts';
import { openSyncedFiles } from '../server-key/synced-files.ts';
import { postsAndFiles, type WholeSite } from '../server-key/whole-site.ts';
import { clientFor, type SessionTarget } from '../target.ts';

export interface OwnPosts {
  readonly user: User;
  /** `putPost` ignores the post's dates, because only a server key may set them. */
  readonly admin: Pick<
    Admin,
    | 'authorByEmail'
    | 'hasUser'
    | 'post'
    | 'putPost'
    | 'deletePost'
    | 'permissionsOf'
    | 'uploadFile'
    | 'shareFile'
    | 'hideFiles'
  >;
  readonly whole: Pick<WholeSite, 'versions' | 'lastChange' | 'accounts' | 'file'>;
  readonly syncedFiles: ReturnType<typeof openSyncedFiles>;
}

/** @param siteUrl URL of the site, which rerenders changed posts. @throws the SDK's error: 401 for an ended session */
export async function ownPosts(target: SessionTarget, siteUrl: string): Promise<OwnPosts> {
  const account = new Account(clientFor(target));
  const { $id, email, name } = await account.get();
  const user: User = { id: $id, email, name };
  const [admin, services] = [createAdmin(target), servicesFor(target)];
  /** Asks the site to render the post again. Ignores errors, because the site also detects the change by itself. */
  const revalidate = async (slug: string) => {
    try {
      const { jwt } = await account.createJWT();
      const headers = { 'content-type': 'application/json', 'x-appwrite-jwt': jwt };
      await fetch(new URL('/api/revalidate', siteUrl), { method: 'POST', headers, body: JSON.stringify({ slug }) });
    } catch {}
  };
  return {
    user,
    admin: {
      ...admin,
      authorByEmail: async (given) => (given.trim().toLowerCase() === email ? user : undefined),
      hasUser: async (id) => id === user.id,
      async post(slug) {
        const post = await admin.post(slug);
        return post?.userId === user.id ? post : undefined;
      },
      async putPost({ createdAt, updatedAt, ...post }, former) {
        const written = await admin.putPost(post, former);
        if (written) await revalidate(post.id);
        return written;
      },
      async deletePost(post) {
        const isDeleted = await admin.deletePost(post);
        if (isDeleted) await revalidate(post.id);
        return isDeleted;
      },
    },
    whole: {
      ...postsAndFiles(services, Query.equal('userId', $id)),
      accounts: async () => [{ ...user, role: undefined }],
    },
    syncedFiles: openSyncedFiles(services),
  };
}
