import { isForgery } from '#blog/permissions.ts';
import { postOf } from '../document.ts';
import { documentsOf, filesNamedIn, filesOf, keyedBackend } from '../keyed-backend.ts';
import { isKeptPicture, keptPictureId } from '../revision-ids.ts';
import type { ServerTarget } from '../target.ts';
import { items } from '../walk.ts';

export interface NamedFiles {
  readonly slug: string;
  readonly isPublished: boolean;
  readonly featuredImage: string;
  readonly files: readonly string[];
}

export interface EveryContent {
  readonly posts: readonly NamedFiles[];
  /** Excludes copies of featured images kept for former versions; `changedAt` is Unix time in milliseconds. */
  readonly files: readonly { readonly id: string; readonly changedAt: number }[];
}

const PAGE = 20;
const FILES_PAGE = 500;

/** Returns all posts and files. An entry with an empty slug lists former versions' files. @throws the SDK's error */
export async function readEveryContent(target: ServerTarget): Promise<EveryContent> {
  const backend = keyedBackend(target);
  const { articles, revisions } = backend;
  const posts: NamedFiles[] = [];
  for await (const document of items(documentsOf(backend, articles, ['*']), PAGE)) {
    const post = postOf(document);
    const { id: slug, featuredImage, content } = post;
    const isPublished = post.status === 'active' && !isForgery(post);
    posts.push({ slug, isPublished, featuredImage, files: filesNamedIn(content) });
  }
  const former: string[] = [];
  for await (const version of items(documentsOf(backend, revisions, ['$id', 'featuredImage', 'content']), PAGE)) {
    const featuredImage = `${version.featuredImage}`;
    former.push(featuredImage, keptPictureId(featuredImage), ...filesNamedIn(`${version.content ?? ''}`));
  }
  if (former.length > 0) posts.push({ slug: '', isPublished: false, featuredImage: '', files: former });
  const files: { id: string; changedAt: number }[] = [];
  for await (const { $id, $updatedAt } of items(filesOf(backend), FILES_PAGE))
    if (!isKeptPicture($id)) files.push({ id: $id, changedAt: Date.parse($updatedAt) });
  return { posts, files };
}
