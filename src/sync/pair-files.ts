/** Finds each file's post: by its path in `sync.json`, or by slug or content if the file was moved or renamed. */
import { isPageSlug } from '#blog/page-slugs.ts';
import { isSlug } from '#blog/slug.ts';
import type { Source } from '#transfer/markdown/sources.ts';
import { slugOfName, suffixed } from '#transfer/write/slugs.ts';
import { type Agreed, hashOf } from './agreements.ts';
import { numberedFrom } from './cloud-copies.ts';

export interface Pair {
  readonly slug: string;
  readonly source?: Source | undefined;
  readonly agreed?: Agreed | undefined;
  /** The slug that the file would get if another post did not already have it. */
  readonly taken?: string | undefined;
}

export interface PairOptions {
  readonly agreed: ReadonlyMap<string, Agreed>;
  /** Paths of files that were not read as posts. */
  readonly unread: ReadonlySet<string>;
  /** Slugs of the blog's posts. */
  readonly slugs: ReadonlySet<string>;
  /** Returns the keys of a file's blocks. */
  readonly keysOf: (source: Source, slug: string) => Promise<readonly string[]>;
  /** Returns true if a new file in the folder belongs to the existing post at `slug`. */
  readonly isPost: (source: Source, slug: string) => Promise<boolean>;
}

/** A file counts as moved, even if it was edited, if it keeps at least this share of its blocks. */
const SAME_SHARE = 0.5;

/** Returns the same key for paths that differ only in case or Unicode normalization: some file systems ignore both. */
const foldPath = (path: string): string => path.normalize('NFC').toLowerCase();

/** Returns the copies made by cloud services, and a pair for each slug that a file, post or agreement has. */
export async function pairFiles(sources: readonly Source[], options: PairOptions) {
  const { agreed, slugs, unread } = options;
  const sourceAt = new Map(sources.map((source) => [source.path, source]));
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
  const copies: { readonly path: string; readonly original: string }[] = [];
  const taken = new Map<string, string>();
  for (const source of fresh) {
    const moved = await movedFrom(source, lost, options);
    const original = moved ? undefined : sourceAt.get(numberedFrom(source.path) ?? '');
    if (original && (await isCopy(source, original, options))) {
      copies.push({ path: source.path, original: original.path });
      continue;
    }
    const wanted = wantedSlug(source);
    const slug = moved ?? (await slugFor(source, wanted, new Set(claimed.keys()), options));
    if (!moved && slug !== wanted) taken.set(slug, wanted);
    lost.delete(slug);
    claimed.set(slug, source);
  }
  const all = [...new Set([...claimed.keys(), ...slugs, ...agreed.keys()])].sort();
  const pairOf = (slug: string): Pair => ({
    ...{ slug, source: claimed.get(slug), agreed: agreed.get(slug), taken: taken.get(slug) },
  });
  return { pairs: all.map(pairOf), copies };
}

async function isCopy(source: Source, original: Source, { keysOf }: PairOptions): Promise<boolean> {
  if (source.fields.title && source.fields.title === original.fields.title) return true;
  const [keys, own] = [await keysOf(original, '').catch(() => []), await keysOf(source, '').catch(() => [])];
  return shareOf(keys, own) >= SAME_SHARE;
}

/** Returns the share (0 to 1) of the blocks that also occur in the other text. */
function shareOf(blocks: readonly string[], other: readonly string[]): number {
  const keys = new Set(other);
  return blocks.filter((key) => keys.has(key)).length / Math.max(1, blocks.length);
}

async function movedFrom(
  source: Source,
  lost: ReadonlyMap<string, Agreed>,
  { keysOf }: PairOptions,
): Promise<string | undefined> {
  if (lost.size === 0) return undefined;
  const [path, hash] = [foldPath(source.path), hashOf(source.text)];
  for (const [slug, former] of lost) if (foldPath(former.path ?? '') === path) return slug;
  for (const [slug, { file }] of lost) if (file === hash) return slug;
  if (source.fields.own && lost.has(source.fields.name)) return source.fields.name;
  let best: { slug: string; share: number } | undefined;
  for (const [slug, { blocks }] of lost) {
    const share = shareOf(blocks, await keysOf(source, slug).catch(() => []));
    if (share >= SAME_SHARE && share > (best?.share ?? 0)) best = { slug, share };
  }
  return best?.slug;
}

const wantedSlug = ({ path, fields }: Source): string =>
  fields.own ? fields.name : slugOfName(fields.name, path, fields.others?.kind ? isPageSlug : isSlug);

async function slugFor(
  source: Source,
  wanted: string,
  taken: ReadonlySet<string>,
  { slugs, agreed, isPost }: PairOptions,
): Promise<string> {
  const isFree = !taken.has(wanted) && !agreed.get(wanted)?.path;
  return isFree && (!slugs.has(wanted) || (await isPost(source, wanted))) ? wanted : suffixed(wanted, source.path);
}
