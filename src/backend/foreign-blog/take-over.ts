/** Converts another program's blog in place, giving each post and picture its own permissions. */
import { faultOf, OperatorError } from '#blog/errors.ts';
import { isSharedRead } from '#blog/permissions.ts';
import { literal } from '../document.ts';
import { filesOf, type KeyedBackend } from '../keyed-backend.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';
import type { Row } from './post.ts';
import { type ForeignBlog, listPosts } from './survey.ts';

/**
 * Creates an account for each author who lacks one, because otherwise anyone could sign up with that author's id. The
 * account has no password.
 */
export async function createLostAuthors({ users }: KeyedBackend, { lostAuthors }: ForeignBlog): Promise<void> {
  for (const userId of lostAuthors) await unless('user_already_exists', users.create({ userId }));
}

/**
 * Converts the posts and returns how many were changed. With `check`, only counts them.
 * @throws OperatorError naming the first post that could not be changed
 */
export async function takeOverPosts(backend: KeyedBackend, blog: ForeignBlog, check: boolean): Promise<number> {
  let changed = 0;
  for await (const row of items(listPosts(backend))) {
    const post = blog.read(row);
    const values = differingValues(row, post.values, blog.fields);
    const permissions = hasRights(row.$permissions, post.permissions) ? row.$permissions : post.permissions;
    if (permissions === row.$permissions && Object.keys(values).length === 0) continue;
    changed += 1;
    const change = { documentId: row.$id, data: literal({ ...values, $updatedAt: row.$updatedAt }), permissions };
    if (!check)
      await backend.databases.updateDocument({ ...backend.articles, ...change }).catch((cause: unknown) => {
        throw new OperatorError(`Post ${row.$id} could not be changed: ${faultOf(cause).message}`, { cause });
      });
  }
  return changed;
}

/** Like `takeOverPosts`, but for files. If the bucket was public, a file that no post shows stays public. */
export async function takeOverFiles(
  backend: KeyedBackend,
  blog: ForeignBlog,
  isBucketPublic: boolean,
  check: boolean,
): Promise<number> {
  let changed = 0;
  for await (const file of items(filesOf(backend))) {
    const permissions = blog.rightsOf(file) ?? (isBucketPublic ? ['read("any")'] : file.$permissions);
    if (hasRights(file.$permissions, permissions)) continue;
    changed += 1;
    if (!check) await backend.storage.updateFile({ bucketId: backend.bucketId, fileId: file.$id, permissions });
  }
  return changed;
}

function hasRights(found: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((each) => found.includes(each)) && found.some(isSharedRead) === wanted.some(isSharedRead);
}

/**
 * Returns the values to write: fields that were stored under another name, and the status, author and image if they had
 * to be converted.
 */
function differingValues(row: Row, values: Readonly<Record<string, unknown>>, fields: ForeignBlog['fields']) {
  const differing = [...fields].filter(([name, attribute]) => {
    const [value, found] = [`${values[name] ?? ''}`, `${row[name] ?? ''}`];
    const isRead = name === 'status' || name === 'userId' || name === 'featuredImage';
    return value !== '' && value !== found && (attribute === name ? isRead : found === '');
  });
  return Object.fromEntries(differing.map(([name]) => [name, values[name]]));
}
