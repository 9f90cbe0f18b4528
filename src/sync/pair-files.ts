/** Finds the post of each file: by what was agreed, then by identity for files that were moved or renamed. */
import { isPageSlug } from '#blog/page-slugs.ts';
import { isSlug } from '#blog/slug.ts';
import type { Source } from '#transfer/markdown/sources.ts';
import { slugOfName, suffixed } from '#transfer/write/slugs.ts';
import { type Agreed, hashOf } from './agreements.ts';

export interface Pair {
  readonly slug: string;
  readonly source?: Source | undefined;
  readonly agreed?: Agreed | undefined;
}

export interface PairOptions {
  readonly agreed: ReadonlyMap<string, Agreed>;
  /** Paths of files that were not read as posts. */
  readonly unread: ReadonlySet<string>;
  /** Slugs of the blog's posts. */
  readonly slugs: ReadonlySet<string>;
  /** Returns the keys of a file's blocks. */
  readonly keysOf: (source: Source, slug: string) => Promise<readonly string[]>;
  /** Returns true if a file that was not here before is the post at `slug`. */
  readonly isPost: (source: Source, slug: string) => Promise<boolean>;
}

/** A moved file that was edited meanwhile keeps this share of its blocks. */
const SAME_SHARE = 0.5;

/** Returns a pair for each file, each post and each agreement. */
export async function pairFiles(sources: readonly Source[], options: PairOptions): Promise<Pair[]> {
  const { agreed, slugs, unread } = options;
  const slugAt = new Map(Array.from(agreed, ([slug, { path }]) => [path ?? '', slug]));
  const claimed = new Map<string, Source>();
  const fresh: Source[] = [];
  for (const source of sources) {
    const slug = slugAt.get(source.path);
    if (slug) claimed.set(slug, source);
    else fresh.push(source);
  }
  const isLost = ([slug, { path }]: [string, Agreed]) => path !== null && !unread.has(path) && !claimed.has(slug);
  const lost = new Map(Array.from(agreed).filter(isLost));
  for (const source of fresh) {
    const moved = await movedFrom(source, lost, options);
    const slug = moved ?? (await slugFor(source, new Set(claimed.keys()), options));
    lost.delete(slug);
    claimed.set(slug, source);
  }
  const all = new Set([...claimed.keys(), ...slugs, ...agreed.keys()]);
  return [...all].sort().map((slug) => ({ slug, source: claimed.get(slug), agreed: agreed.get(slug) }));
}

async function movedFrom(
  source: Source,
  lost: ReadonlyMap<string, Agreed>,
  { keysOf }: PairOptions,
): Promise<string | undefined> {
  if (lost.size === 0) return undefined;
  const hash = hashOf(source.text);
  for (const [slug, { file }] of lost) if (file === hash) return slug;
  if (source.fields.own && lost.has(source.fields.name)) return source.fields.name;
  let best: { slug: string; share: number } | undefined;
  for (const [slug, { blocks }] of lost) {
    const keys = new Set(await keysOf(source, slug).catch(() => []));
    const share = blocks.filter((key) => keys.has(key)).length / Math.max(1, blocks.length);
    if (share >= SAME_SHARE && share > (best?.share ?? 0)) best = { slug, share };
  }
  return best?.slug;
}

async function slugFor(source: Source, taken: ReadonlySet<string>, options: PairOptions): Promise<string> {
  const { path, fields } = source;
  const { slugs, agreed, isPost } = options;
  const slug = fields.own ? fields.name : slugOfName(fields.name, path, fields.others?.kind ? isPageSlug : isSlug);
  const isFree = !taken.has(slug) && !agreed.get(slug)?.path;
  return isFree && (!slugs.has(slug) || (await isPost(source, slug))) ? slug : suffixed(slug, path);
}
