/** A folder that is synced with an embedded backend, for the tests of `src/sync`. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createAdmin } from '#backend/server-key/admin.ts';
import { wholeSite } from '#backend/server-key/whole-site.ts';
import type { Post, PostValues } from '#blog/post.ts';
import { type SyncOptions, syncFolder } from '#sync/sync-folder.ts';
import type { SyncResult } from '#sync/sync-pair.ts';
import { sharedSite } from './shared-site.ts';

/** Opens a folder and its backend, which are removed after all tests of the file. */
export async function openSyncedFolder() {
  const site = await sharedSite();
  const [admin, whole] = [createAdmin(site.target), wholeSite(site.target)];
  const { user } = await admin.createAuthor({ email: 'ada@example.com', name: 'Ada' });
  let directory = '';
  const post = async (slug: string): Promise<Post> => {
    const found = await admin.post(slug);
    if (!found) throw new Error(`There is no post ${slug}.`);
    return found;
  };
  return {
    ...{ site, admin, whole, user, post },
    get directory() {
      return directory;
    },
    /** Deletes all posts, and continues with `folder` or with a new empty folder. */
    async empty(folder?: string): Promise<void> {
      for (const each of await Array.fromAsync(whole.posts())) await admin.deletePost(each);
      directory = folder ?? (await mkdtemp(join(site.folder, 'sync-')));
    },
    run: (options: Partial<SyncOptions> = {}): Promise<SyncResult[]> =>
      syncFolder({
        ...{ directory, blog: 'test', site: site.site, admin, whole, deletes: false, dryRun: false },
        ...options,
      }),
    async put(path: string, text: string | Buffer): Promise<void> {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    },
    at: (path: string) => join(directory, path),
    read: (path: string) => readFile(join(directory, path), 'utf8'),
    /** Changes a post as the post form does. Throws if another writer changed the post first. */
    async edit(slug: string, change: (former: Post) => Partial<PostValues>): Promise<void> {
      const former = await post(slug);
      const changed = { ...former, ...change(former), createdAt: undefined, updatedAt: undefined };
      if (!(await admin.putPost(changed, former))) throw new Error(`${slug} was changed by another writer.`);
    },
  };
}

/** Returns the action taken for each path. */
export const actions = (results: readonly SyncResult[]): Record<string, string> =>
  Object.fromEntries(results.map(({ path, action }) => [path, action]));

export const notesOn = (results: readonly SyncResult[], path: string): string =>
  results.flatMap((result) => (result.path === path ? result.notes : [])).join('\n');
