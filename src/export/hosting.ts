/** Writes `_headers` and `_redirects` for static hosts such as Netlify and Cloudflare Pages. */
import { editPostPath, HOME, numberedPath, postPath } from '#blog/routes/paths.ts';
import { type HeaderPairs, securityHeaders } from '#blog/routes/security-headers.ts';
import { ANY, groupPrefixes, numberedLists } from '#blog/routes/table.ts';
import { INDEX_FOLDER } from '#blog/search/exported-index.ts';
import type { Site } from '#blog/site.ts';
import { partsOf, type Redirect } from '#redirects/redirects-file.ts';
import { fileOf } from './file-paths.ts';

export interface Hosting {
  readonly site: Site;
  readonly directory: string;
  readonly pages: readonly { readonly path: string; readonly headers: readonly string[] }[];
  readonly fixed: readonly FixedFile[];
  readonly redirects: readonly Redirect[];
  readonly server?: string | undefined;
}

export interface FixedFile {
  readonly file: string;
  readonly body?: Buffer | undefined;
  readonly page?: { readonly path: string; readonly headers: readonly string[] };
}

export interface Rule {
  readonly pattern: string;
  readonly headers: HeaderPairs;
}

/** Matches paths that cannot be redirected, because the host proxies or redirects them, or has files for them. */
const HOSTS_OWN = /^\/(?:(?:v1|api|_astro|edit-post)(?:\/|$)|(?:post\/)?404$|page\/1$)/i;
export const isHostsOwn = (from: string): boolean => HOSTS_OWN.test(partsOf(from).path);

const FOREVER = 'public, max-age=31536000, immutable';
const PAGE_GROUPS = groupPrefixes('stored').map((prefix) => `${prefix}*`);
const PICTURES = '/v1/storage/*';
/** File of the edit page. A single file serves all posts, because its island reads the slug from the URL. */
export const EDIT_FILE = fileOf(editPostPath('')).replace('//', '/');

/** Returns rules that do not overlap. Hosts merge the headers of all matching rules, and browsers enforce every CSP. */
export function rulesOf({ site, pages, fixed }: Hosting): Rule[] {
  const shown = [...pages, ...fixed.flatMap(({ page }) => (page && !page.path.endsWith('404.html') ? [page] : []))];
  // Skips files that a group's rule covers, such as tag feeds, because hosts allow only a few rules.
  const ruled = shown.filter(({ path }) => groupOf(path) === path || fileOf(path) !== path.slice(1));
  const groups = Map.groupBy(ruled, ({ path }) => groupOf(path));
  const rules: Rule[] = [];
  // A group that has no pages yet gets the home page's headers, because nginx reads the rules only on start or reload.
  const home = pages.find(({ path }) => path === '/');
  for (const pattern of PAGE_GROUPS)
    if (home && !groups.has(pattern)) rules.push({ pattern, headers: pageHeaders(home.headers) });
  for (const [group, members] of groups) {
    const sets = Map.groupBy(members, ({ headers }) => JSON.stringify(pageHeaders(headers)));
    for (const set of sets.values())
      for (const { path, headers } of sets.size === 1 ? set.slice(0, 1) : set)
        rules.push({ pattern: sets.size === 1 ? group : path, headers: pageHeaders(headers) });
  }
  rules.push({ pattern: '/_astro/*', headers: [['Cache-Control', FOREVER]] });
  rules.push({ pattern: `/${INDEX_FOLDER}/*`, headers: withCaching([]) });
  rules.push({ pattern: PICTURES, headers: [['Cache-Control', 'public, max-age=86400']] });
  for (const { file, page } of fixed)
    if (!page && !file.includes('/')) rules.push({ pattern: `/${file}`, headers: [] });
  return secured(site.url, rules).sort((one, other) => (one.pattern < other.pattern ? -1 : 1));
}

export const missingPostPageOf = (fixed: readonly FixedFile[]): string =>
  fixed.find(({ file }) => /^post\/.*404\.html$/.test(file))?.page?.path ?? '/404.html';

export function errorRules({ site, fixed }: Hosting): Rule[] {
  const pages = fixed.flatMap(({ page }) => (page?.path.endsWith('404.html') ? [page] : []));
  const rules = pages.map(({ path, headers }) => ({
    pattern: path,
    headers: withCaching(pageHeaders(headers).filter(([name]) => name !== 'Cache-Control')),
  }));
  return secured(site.url, rules);
}

function secured(siteUrl: string, rules: readonly Rule[]): Rule[] {
  const headersOf = securityHeaders(siteUrl);
  return rules.map(({ pattern, headers }) => {
    const own = new Set(headers.map(([name]) => name));
    // Omits `nosniff`, because hosts do not know the types of these pictures, so browsers must detect them.
    if (pattern === PICTURES) own.add('X-Content-Type-Options');
    return { pattern, headers: [...headers, ...headersOf(pattern).filter(([name]) => !own.has(name))] };
  });
}

export function headersFile(hosting: Hosting, rules: readonly Rule[]): string {
  const all = [...rules, ...errorRules(hosting).filter(({ pattern }) => pattern === '/404.html')];
  const written = all.map(
    ({ pattern, headers }) => `${pattern}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`,
  );
  return `# Made by npm run export.\n${written.join('\n')}`;
}

export function redirectsFile({ fixed, redirects, server }: Hosting): string {
  const lines = ['# Made by npm run export.', `${numberedPath(HOME, 1)} ${HOME} 301`, `/index.html ${HOME} 301`];
  for (const list of numberedLists(':parameter')) lines.push(`${numberedPath(list, 1)} ${list} 301`);
  for (const { from, to } of redirects) {
    const { query } = partsOf(from);
    const path = bare(partsOf(from).path);
    // Forces the redirect with `!`, because a page may have the same path. Hosts that cannot match queries ignore the
    // line.
    if (query.size > 0) lines.push(`${path} ${[...query].map(queryPart).join(' ')} ${to} 301!`);
    else for (const form of [path, `${path}/`, `${path}.html`]) lines.push(`${form} ${to} 301`);
  }
  if (fixed.some(({ file }) => file === EDIT_FILE)) lines.push(`${editPostPath(ANY)} /${EDIT_FILE} 200`);
  // Omits a server on this machine, which a remote host cannot reach. Files take precedence over these lines.
  if (server && !isOnThisMachine(server))
    lines.push(`/v1/* ${server}/v1/:splat 200`, `/api/* ${server}/api/:splat 200`);
  lines.push(`${postPath(ANY)} ${missingPostPageOf(fixed)} 404`);
  return `${lines.join('\n')}\n`;
}

/** Escapes stars and colons, which hosts would read as placeholders. */
const bare = (path: string): string => path.replaceAll('*', '%2A').replaceAll(':', '%3A');

const queryPart = ([name, value]: [string, string]): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

const isOnThisMachine = (address: string): boolean =>
  /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname);

function groupOf(path: string): string {
  const [, first, rest] = /^\/([^/]+)\/(.+)$/.exec(path) ?? [];
  return first !== undefined && rest !== undefined && first !== '.well-known' ? `/${first}/*` : path;
}

const pageHeaders = (headers: readonly string[]): Rule['headers'] =>
  withCaching(paired(headers).filter(([name]) => name !== 'Content-Type'));

function withCaching(headers: Rule['headers']): Rule['headers'] {
  const cached = headers.some(([name]) => name === 'Cache-Control');
  return cached ? headers : [...headers, ['Cache-Control', 'public, max-age=0, must-revalidate']];
}

export function paired(headers: readonly string[]): [string, string][] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : []));
}
