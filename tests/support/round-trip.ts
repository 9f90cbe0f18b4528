/** Exports a site as Markdown, imports it into an empty one, and compares the two. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createAdmin } from '../../src/backend/server-key/admin.ts';
import { wholeSite } from '../../src/backend/server-key/whole-site.ts';
import { filesShownIn } from '../../src/blog/images.ts';
import { OPTIONAL_FIELD_NAMES, type Post } from '../../src/blog/post.ts';
import { openCollection } from '../../src/transfer/formats.ts';
import { exportMarkdown } from '../../src/transfer/markdown-export/export.ts';
import { type Result, type WriteOptions, writePosts } from '../../src/transfer/write/write.ts';
import type { EmbeddedSite } from './embedded-site.ts';

/** Exports a site into a new folder, `name`, inside the site's folder. */
export async function exportSite({ folder: own, target, site }: EmbeddedSite, name: string, redirects = '') {
  const folder = join(own, name);
  const report = await exportMarkdown({
    source: wholeSite(target),
    site,
    redirects,
    async put(path, bytes) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      // Fails if the export writes a path twice.
      await writeFile(join(folder, path), bytes, { flag: 'wx' });
    },
  });
  return { ...report, folder };
}

/** Imports a folder of Markdown. Old addresses are written to the file `data/redirects` in the site's folder. */
export async function takeExport(
  { folder: own, target, site }: EmbeddedSite,
  folder: string,
  options: Partial<WriteOptions> = {},
): Promise<Result[]> {
  const collection = await openCollection('markdown', { path: folder });
  const [admin, dataDirectory] = [createAdmin(target), join(own, 'data')];
  return writePosts(collection, { admin, site, dataDirectory, place: folder, ...options });
}

/** Compares two sites' posts, except `ignored` ones, and their pictures. `found` has an entry for each difference. */
export async function differences(one: EmbeddedSite, other: EmbeddedSite, ignored: ReadonlySet<string> = new Set()) {
  const found: string[] = [];
  const [before, after] = await Promise.all([postsOf(one), postsOf(other)]);
  const pictures = new Set<string>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    if (ignored.has(id)) continue;
    const [was, is] = [before.get(id), after.get(id)];
    if (!was || !is) {
      found.push(`${id} is in one of them alone`);
      continue;
    }
    for (const name of ['content', 'title', 'status', 'featuredImage', 'createdAt', 'updatedAt', 'userId'] as const)
      if (was[name] !== is[name]) found.push(`${id}: ${name}`);
    for (const name of [...OPTIONAL_FIELD_NAMES, 'permissions'] as const)
      if (JSON.stringify([was[name]].flat().toSorted()) !== JSON.stringify([is[name]].flat().toSorted()))
        found.push(`${id}: ${name}`);
    for (const file of [was.featuredImage, ...filesShownIn(was.content, one.site.bucketId)])
      if (file) pictures.add(file);
  }
  for (const id of pictures) {
    const [was, is] = await Promise.all([wholeSite(one.target).file(id), wholeSite(other.target).file(id)]);
    if (!was || !is?.bytes.equals(was.bytes)) found.push(`picture ${id}`);
  }
  return { posts: before.size, pictures: pictures.size, found };
}

async function postsOf({ target }: EmbeddedSite): Promise<Map<string, Post>> {
  const posts = new Map<string, Post>();
  for await (const post of wholeSite(target).posts()) posts.set(post.id, post);
  return posts;
}
