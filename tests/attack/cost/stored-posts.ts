/** Stores posts of the usual size directly in the backend, as many as a blog has after some years. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import type { PostStatus } from '#blog/post.ts';
import { ARTICLES, type RunningSite, type Writer } from '../../e2e/site.ts';
import { article } from './texts.ts';

const IN_BULK = 50;

export interface StoredPost {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly featuredImage?: string;
  readonly status?: PostStatus;
}

export function keyHeaders(site: RunningSite): Record<string, string> {
  const key = readFileSync(join(site.dataDirectory, 'server-key'), 'utf8').trim();
  return { 'x-appwrite-project': 'common-ink', 'x-appwrite-key': key };
}

export async function storeAll(site: RunningSite, owner: Writer, posts: readonly StoredPost[]): Promise<void> {
  const documents = posts.map(({ id, title, content, featuredImage = '', status = 'active' as const }) => ({
    $id: id,
    $permissions: postPermissions(status, owner.id),
    title,
    content,
    featuredImage,
    status,
    userId: owner.id,
  }));
  await new Databases(site.admin()).createDocuments({ ...ARTICLES, documents });
}

export async function storePosts(site: RunningSite, owner: Writer, count: number, featuredImage = ''): Promise<void> {
  const posts = Array.from({ length: count }, (_, i) => ({
    id: `usual-${i}`,
    title: `Post ${i} on paper and ink`,
    content: article(5000 + ((i * 7919) % 15_000), i),
    featuredImage,
  }));
  for (let at = 0; at < count; at += IN_BULK) await storeAll(site, owner, posts.slice(at, at + IN_BULK));
}
