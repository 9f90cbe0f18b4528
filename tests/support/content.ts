import { readFileSync } from 'node:fs';
import { Databases, Storage, Users } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { serverClient } from '#backend/target.ts';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import type { Post, PostStatus } from '#blog/post.ts';
import type { EmbeddedSite } from './embedded-site.ts';

export const ARTICLES = { databaseId: 'blog', collectionId: 'articles' };
const PNG = readFileSync(new URL('../import/fixtures/posts/type-sizes/sizes.png', import.meta.url));

type Given = 'content' | 'featuredImage' | 'status' | 'userId' | 'publishAt' | 'unpublishAt';
export type WantedPost = Partial<Pick<Post, Given>> & { readonly permissions?: string[] };

/** Returns services that use the site's server key or `client`, and functions that write posts and pictures. */
export function contentOf({ target }: EmbeddedSite, client = serverClient(target)) {
  const [databases, storage, users] = [new Databases(client), new Storage(client), new Users(client)];
  return {
    databases,
    storage,
    users,
    post(documentId: string, { permissions, ...given }: WantedPost = {}) {
      const status = 'inactive' as const;
      const data = { title: documentId, content: '', featuredImage: '', status, userId: 'ann', ...given };
      const allowed = permissions ?? postPermissions(data.status, data.userId);
      return databases.createDocument({ ...ARTICLES, documentId, data, permissions: allowed });
    },
    async upload(fileId: string, status: PostStatus = 'inactive', permissions = filePermissions(status, 'ann')) {
      const file = InputFile.fromBuffer(PNG, 'a.png');
      await storage.createFile({ bucketId: 'media', fileId, file, permissions });
    },
  };
}

export const showing = (fileId: string): string =>
  `<p><img src="/v1/storage/buckets/media/files/${fileId}/view?project=common-ink"></p>`;
