/**
 * One address for each page. Whatever else means the same page is sent there, a query changes nothing, and what
 * cannot be an address at all is refused; so nobody can fill the store with variants of one page.
 */

export type Address =
  /** The page at this path. */
  | { readonly page: string }
  /** The page has another address: this path, with the query of the request. */
  | { readonly redirect: string }
  /** No address: a bad encoding, a NUL, a way out of the site. */
  | { readonly refused: 400 };

interface KnownPage {
  /** Matched against the decoded path in lower case, without a slash at the end; with `i`, against the path as it is. */
  readonly pattern: RegExp;
  /** The canonical path. */
  readonly path: (match: RegExpExecArray) => string;
}

/** The first page of a list has no number. */
const paged = (list: string, page = '1'): string => (page === '1' ? list : `${list}/page/${page}`);

/** Every public page, most asked for first. A path that none of them matches is not the store's. */
const PUBLIC_PAGES: readonly KnownPage[] = [
  // A slug is an Appwrite id in lower case (contract 1.1).
  { pattern: /^\/post\/([a-z0-9][a-z0-9._-]{0,35})$/, path: ([, slug]) => `/post/${slug}` },
  { pattern: /^\/$/, path: () => '/' },
  { pattern: /^\/page\/0*([1-9][0-9]{0,5})$/, path: ([, page]) => (page === '1' ? '/' : `/page/${page}`) },
  { pattern: /^\/(feed\.xml|atom\.xml|feed\.json|robots\.txt)$/, path: ([, name]) => `/${name}` },
  { pattern: /^\/sitemap(|-[1-9][0-9]{0,3})\.xml$/, path: ([, part]) => `/sitemap${part}.xml` },
  { pattern: /^\/post\/([a-z0-9][a-z0-9._-]{0,35})\/share\.png$/, path: ([, slug]) => `/post/${slug}/share.png` },
  // A user's id keeps its case: two ids may differ in nothing else.
  {
    pattern: /^\/author\/([a-z0-9][a-z0-9._-]{0,35})(?:\/page\/0*([1-9][0-9]{0,5}))?$/i,
    path: ([, id, page]) => paged(`/author/${id}`, page),
  },
  { pattern: /^\/archive$/, path: () => '/archive' },
  {
    pattern: /^\/archive\/([1-9][0-9]{3})(?:\/page\/0*([1-9][0-9]{0,5}))?$/,
    path: ([, year, page]) => paged(`/archive/${year}`, page),
  },
];

/** Pages that are made for who asks. The store does not keep them, but they have one address each as well. */
const OTHER_PAGES: readonly KnownPage[] = [
  { pattern: /^\/(search|login|signup|all-posts|add-post)$/, path: ([, name]) => `/${name}` },
  { pattern: /^\/edit-post\/([a-z0-9][a-z0-9._-]{0,35})$/, path: ([, slug]) => `/edit-post/${slug}` },
];

/** The page of a post. */
export const postPath = (slug: string): string => `/post/${slug}`;

/** What a request's URL means; undefined when it is no public page, nor another address of any page. */
export function canonical(url: string): Address | undefined {
  const [rawPath, query] = partsOf(url);
  const path = decoded(rawPath);
  if (path === undefined || isHostile(path)) return { refused: 400 };
  const page = pageAt(path, PUBLIC_PAGES);
  if (page === rawPath) return { page };
  const other = page ?? pageAt(path, OTHER_PAGES);
  return other === undefined || other === rawPath ? undefined : { redirect: other + query };
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

function pageAt(path: string, pages: readonly KnownPage[]): string | undefined {
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?:\/\.)+(?=\/|$)/g, '');
  // The last form may be a post whose slug is "index.html".
  const forms = [plain.replace(/\/index(?:\.html?)?\/?$/i, ''), plain];
  for (const form of forms) {
    const trimmed = form.replace(/\/$/, '') || '/';
    for (const { pattern, path: pathOf } of pages) {
      const match = pattern.exec(pattern.ignoreCase ? trimmed : trimmed.toLowerCase());
      if (match) return pathOf(match);
    }
  }
  return undefined;
}
