/**
 * One address for each public page. Whatever else means the same page is sent there, a query changes nothing, and what
 * cannot be an address at all is refused; so nobody can fill the store with variants of one page.
 */

export type Address =
  /** The page at this path. */
  | { readonly page: string }
  /** The page has another address: this path, with the query of the request. */
  | { readonly redirect: string }
  /** No address: a bad encoding, a NUL, a way out of the site. */
  | { readonly refused: 400 };

interface PublicPage {
  /** Matched against the decoded path in lower case, without a slash at the end. */
  readonly pattern: RegExp;
  /** The canonical path. */
  readonly path: (match: RegExpExecArray) => string;
}

/** Every public page, most asked for first. A path that none of them matches is not the store's. */
const PUBLIC_PAGES: readonly PublicPage[] = [
  // A slug is an Appwrite id in lower case (contract 1.1).
  { pattern: /^\/post\/([a-z0-9][a-z0-9._-]{0,35})$/, path: ([, slug]) => `/post/${slug}` },
  { pattern: /^\/$/, path: () => '/' },
  { pattern: /^\/page\/0*([1-9][0-9]{0,5})$/, path: ([, page]) => (page === '1' ? '/' : `/page/${page}`) },
];

/** The page of a post. */
export const postPath = (slug: string): string => `/post/${slug}`;

/** What a request's URL means; undefined when it is no public page. */
export function canonical(url: string): Address | undefined {
  const [rawPath, query] = partsOf(url);
  const path = decoded(rawPath);
  if (path === undefined || isHostile(path)) return { refused: 400 };
  const page = pageAt(path);
  if (page === undefined) return undefined;
  return page === rawPath ? { page } : { redirect: page + query };
}

/** Path and query of a request target, which may name the host as well (RFC 9112, 3.2.2). */
function partsOf(url: string): [path: string, query: string] {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.search(/[?#]/);
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 || target[mark] === '#' ? '' : (target.slice(mark).split('#', 1)[0] ?? '');
  return [path || '/', query];
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function isHostile(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return /[\x00-\x1f\x7f\\]/.test(path) || path.split('/').includes('..');
}

function pageAt(path: string): string | undefined {
  const plain = path
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(?:\/\.)+(?=\/|$)/g, '');
  // The last form may be a post whose slug is "index.html".
  const forms = [plain.replace(/\/index(?:\.html?)?\/?$/, ''), plain];
  for (const form of forms) {
    const trimmed = form.replace(/\/$/, '') || '/';
    for (const { pattern, path: pathOf } of PUBLIC_PAGES) {
      const match = pattern.exec(trimmed);
      if (match) return pathOf(match);
    }
  }
  return undefined;
}
