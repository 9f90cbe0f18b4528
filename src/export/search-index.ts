/** Writes a static export's search index, split into parts by a hash of the slug, so that an edit affects one part. */
import { crc32 } from 'node:zlib';
import { checksum } from '@common-ink/http/compression.ts';
import { dayText, isoDay } from '#blog/dates.ts';
import { hasByline } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { type IndexedPost, indexText, PARTS_FILE, partFile } from '#blog/search/exported-index.ts';
import { foldedTag } from '#blog/tags/folded-tag.ts';
import { tagSlugs } from '#blog/tags/tag-slug.ts';
import { fileOf } from './file-paths.ts';
import type { ExportFolder } from './folder.ts';
import type { ListedPost } from './posts.ts';

/** Maximum average number of posts per part. A part with this many takes about 200 KB, or 75 KB compressed. */
const PART = 128;

interface SearchIndexOptions {
  readonly folder: ExportFolder;
  readonly siteChecksum: string;
  readonly timeZone: string | undefined;
  readonly versions: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
  readonly put: (file: string, body: Buffer) => Promise<void>;
}

/** Returns the index's files, and the versions of its parts. @param known the parts' versions in the last export */
export async function exportSearchIndex(
  posts: readonly ListedPost[],
  known: readonly string[],
  options: SearchIndexOptions,
): Promise<{ files: string[]; made: string[] }> {
  const { folder, siteChecksum, versions, put } = options;
  // Rounds up to a power of two, so that the number of parts rarely changes. Each change moves posts to other parts.
  const count = 2 ** Math.max(0, Math.ceil(Math.log2(posts.length / PART)));
  const parts: ListedPost[][] = Array.from({ length: count }, () => []);
  for (const post of posts) parts[crc32(post.id) % count]?.push(post);
  const written = new Set(folder.written);
  const made: string[] = [];
  for (const [n, part] of parts.entries()) {
    const version = checksum(JSON.stringify([siteChecksum, count, part.map(({ id }) => versions.get(id))]));
    made.push(version);
    const isWritten = part.some((post) => written.has(fileOf(addressOfPost(post))));
    if (!isWritten && known[n] === version && folder.owns(partFile(n))) continue;
    const indexed = await Promise.all(part.map((post) => indexedPost(post, options)));
    await put(partFile(n), Buffer.from(indexText(indexed.flatMap((post) => post ?? []))));
  }
  await put(PARTS_FILE, Buffer.from(JSON.stringify({ parts: count })));
  return { files: [PARTS_FILE, ...parts.map((_, n) => partFile(n))], made };
}

async function indexedPost(
  post: ListedPost,
  { folder, names, timeZone }: SearchIndexOptions,
): Promise<IndexedPost | undefined> {
  const { id, title, userId, createdAt, tags = [] } = post;
  const address = addressOfPost(post);
  const file = fileOf(address);
  const page = folder.owns(file) ? await folder.read(file) : undefined;
  if (page === undefined) return undefined;
  const date = new Date(createdAt);
  return {
    id,
    title,
    text: textOfPage(page),
    ...(address !== postPath(id) && { address }),
    author: (hasByline(post) && names.get(userId)) || '',
    date: isoDay(date, timeZone),
    day: hasByline(post) ? dayText(date, timeZone) : '',
    ...(tags.length > 0 && { tags: [...new Set([...tagSlugs(tags), ...tags.map(foldedTag)])] }),
  };
}

/** Matches a post page's text, up to its list of tags (`Article.astro`). */
const PROSE =
  /<div class="prose"[^>]*>([\s\S]*)<\/div>\s*(?:<ul class="[^"]*"[^>]*>(?:(?!<\/ul>)[\s\S])*<\/ul>\s*)?<\/div>\s*(?:<nav|<\/article>)/;
const INLINE = /^\/?(?:a|bdi|code|del|em|img|mark|span|strong|sub|sup|u)$/;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', apos: "'", nbsp: ' ' };

function textOfPage(html: string): string {
  const [, prose = ''] = PROSE.exec(html) ?? [];
  return prose
    .replace(/<a [^>]*data-footnote-backref[^>]*>[^<]*<\/a>/g, '')
    .replace(/<(\/?[a-z0-9]+)[^>]*>/gi, (_, tag: string) => (INLINE.test(tag.toLowerCase()) ? '' : '\n'))
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      if (name) return ENTITIES[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/\s+/g, ' ')
    .trim();
}
