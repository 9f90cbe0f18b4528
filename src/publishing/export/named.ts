/** What a page names: the posts it shows or links to, other pages that exist because of it, and its pictures. */
import { isSlug } from '#blog/slug-rules.ts';

export interface Named {
  /** Slugs of posts, sorted, each once. */
  readonly posts: readonly string[];
  /** Paths of lists, parts of a sitemap and drawn pictures. Posts are not among them: they are known from the backend. */
  readonly pages: readonly string[];
  /** Addresses below the site's `/v1`. */
  readonly pictures: readonly string[];
}

const POST = /\/post\/([a-z0-9][a-z0-9._-]{0,35})(?=["'<\s/?#\\])/g;
const PAGE =
  /["'>](?:https?:\/\/[^"'<>/\s]+)?(\/(?:page\/[1-9]\d*|author\/[\w.-]+(?:\/page\/[1-9]\d*)?|archive(?:\/\d{4}(?:\/page\/[1-9]\d*)?)?|sitemap-[1-9]\d*\.xml|post\/[a-z0-9][a-z0-9._-]{0,35}\/share\.png))(?=["'<])/g;
const PICTURE = /\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+\/(?:view|preview|download)(?:\?[\w=&;.%-]*)?/g;

/** Reads a page, a feed or a sitemap. `siteUrl` tells the site's own absolute addresses from those of others. */
export function namedIn(text: string, siteUrl: string): Named {
  const posts = new Set<string>();
  for (const [, slug = ''] of text.matchAll(POST)) if (isSlug(slug)) posts.add(slug);
  const pages = new Set<string>();
  for (const [whole, path = ''] of text.matchAll(PAGE)) {
    const address = whole.slice(1);
    if (address === path || address === siteUrl + path) pages.add(path);
  }
  const pictures = new Set<string>();
  for (const match of text.matchAll(PICTURE)) {
    if (isOwn(text, match.index, siteUrl)) pictures.add(match[0].replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
  }
  return { posts: [...posts].sort(), pages: [...pages].sort(), pictures: [...pictures].sort() };
}

/** True where the path begins an address of its own, or follows the site's. */
function isOwn(text: string, at: number, siteUrl: string): boolean {
  if (text.slice(Math.max(0, at - siteUrl.length), at) === siteUrl) return true;
  return !/[\w.\]:-]/.test(text[at - 1] ?? ' ');
}
