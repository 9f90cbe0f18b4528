import { readFileSync } from 'node:fs';
import { Databases, Storage, Users } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { serverClient } from '#backend/target.ts';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import type { PostStatus } from '#blog/post.ts';
import type { EmbeddedSite } from './embedded-site.ts';

export const ARTICLES = { databaseId: 'blog', collectionId: 'articles' };
const PNG = readFileSync(new URL('../import/fixtures/posts/type-sizes/sizes.png', import.meta.url));

export interface WantedPost {
  readonly content?: string;
  readonly featuredImage?: string;
  readonly status?: PostStatus;
  readonly userId?: string;
  readonly publishAt?: string;
  readonly unpublishAt?: string;
  readonly permissions?: string[];
}

/** Returns the services of `site` by its server key or `client`, and functions that write posts and pictures. */
export function contentOf({ target }: EmbeddedSite, client = serverClient(target)) {
  const [databases, storage, users] = [new Databases(client), new Storage(client), new Users(client)];
  return {
    databases,
    storage,
    users,
    post(documentId: string, { permissions, ...given }: WantedPost = {}) {
      const data = {
        title: documentId,
        content: '',
        featuredImage: '',
        status: 'inactive' as const,
        userId: 'ann',
        ...given,
      };
      const allowed = permissions ?? postPermissions(data.status, data.userId);
      return databases.createDocument({ ...ARTICLES, documentId, data, permissions: allowed });
    },
    async upload(fileId: string, status: PostStatus = 'inactive', permissions = filePermissions(status, 'ann')) {
      const file = InputFile.fromBuffer(PNG, 'a.png');
      await storage.createFile({ bucketId: 'media', fileId, file, permissions });
    },
  };
}

/** Returns a post's text that shows a picture. */
export const showing = (fileId: string): string =>
  `<p><img src="/v1/storage/buckets/media/files/${fileId}/view?project=common-ink"></p>`;
