/** Every post and every file of a backend, as far as the one names the other. */
import { Query } from 'node-appwrite';
import { isForgery } from '#blog/permissions.ts';
import { postOf } from '../document.ts';
import { isKeptPicture, keptPictureId } from '../revision-ids.ts';
import { everyDocument, filesNamedIn, reach, type SweepTarget } from '../sweep/target.ts';

export interface NamedFiles {
  readonly slug: string;
  readonly isPublished: boolean;
  readonly featuredImage: string;
  /** Files that its text names, and those that former versions do. */
  readonly files: readonly string[];
}

export interface EveryContent {
  readonly posts: readonly NamedFiles[];
  /** Without the copies that are kept for former versions; `changedAt`: milliseconds since 1970. */
  readonly files: readonly { readonly id: string; readonly changedAt: number }[];
}

/** With their texts, which may be long. */
const PAGE = 20;
const FILES_PAGE = 500;

/** Reads all of it with the server key. @throws the SDK's error. */
export async function readEveryContent(target: SweepTarget): Promise<EveryContent> {
  const backend = reach(target);
  const posts = new Map<string, NamedFiles>();
  await everyDocument(backend, backend.articles, ['*'], PAGE, (document) => {
    const post = postOf(document);
    posts.set(post.id, {
      slug: post.id,
      isPublished: post.status === 'active' && !isForgery(post),
      featuredImage: post.featuredImage,
      files: filesNamedIn(post.content),
    });
  });
  const former: string[] = [];
  await everyDocument(backend, backend.revisions, ['featuredImage', 'content'], PAGE, ({ featuredImage, content }) => {
    former.push(`${featuredImage}`, keptPictureId(`${featuredImage}`), ...filesNamedIn(`${content ?? ''}`));
  });
  if (former.length > 0) posts.set('', { slug: '', isPublished: false, featuredImage: '', files: former });
  return { posts: [...posts.values()], files: await everyFile(backend) };
}

async function everyFile({ storage, bucketId }: ReturnType<typeof reach>): Promise<EveryContent['files']> {
  const found: { id: string; changedAt: number }[] = [];
  for (let cursor: string | undefined; ; ) {
    const queries = [Query.limit(FILES_PAGE), ...(cursor ? [Query.cursorAfter(cursor)] : [])];
    const { files } = await storage.listFiles({ bucketId, queries });
    for (const { $id, $updatedAt } of files) {
      if (!isKeptPicture($id)) found.push({ id: $id, changedAt: Date.parse($updatedAt) });
    }
    if (files.length < FILES_PAGE) return found;
    cursor = files.at(-1)?.$id;
  }
}
