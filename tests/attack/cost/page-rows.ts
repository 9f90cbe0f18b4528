/** Makes the rows of the cost table for the pages in `src/pages` and the site's API. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '#api/routes.ts';
import type { Sent } from './measure.ts';
import { type CallerName, type MeasuredSite, REBUILD_TOKEN, sessionHeaders as signIn } from './measured-site.ts';
import { JSON_TYPE, json, type Row } from './row.ts';
import { article, LARGEST_TEXTS, LONGEST_TITLE, prose } from './texts.ts';

const PAGES = join(import.meta.dirname, '..', '..', '..', 'src', 'pages');
/** Size of a long URL in bytes, somewhat below the limit. */
const ADDRESS = 60_000;

type Cases = Readonly<Record<string, (site: MeasuredSite) => Sent | Promise<Sent>>>;

let addresses = 0;
/** Returns a new client address for each request, because searches and wrong tokens are rate-limited by address. */
function from(): string {
  addresses++;
  return `127.9.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

const get =
  (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (): Sent => ({ method: 'GET', path, headers: { 'accept-encoding': 'br', ...headers }, from: from() });
const post = (path: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Sent => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...headers },
  body,
  from: from(),
});

/** Makes each request as a new user, because some limits count by user. */
const asUser = (path: string, body?: Buffer) => async (site: MeasuredSite) => {
  const headers = signIn(await site.freshUser());
  return body ? post(path, body, headers) : get(path, headers)();
};
const LARGE_BODY = Buffer.alloc(10_000_000, '[');

/** Returns two requests for a page: one without a query and one with a query of the maximum length. */
const pages = (path: string): Cases => ({
  plain: get(path),
  'a long query': get(`${path}?${'a=b&'.repeat(ADDRESS / 4)}`),
});
const numbered = (path: string): Cases => ({
  'the second page': get(`${path}2`),
  'a page far behind': get(`${path}999999`),
  'a long number': get(path + '9'.repeat(ADDRESS)),
});

/** Creates a post with `content` and requests its page, which the server then has to render. */
const firstReader = (content: string, title?: string) => async (site: MeasuredSite) =>
  get(`/post/${await site.freshPost(content, title)}`)();

/** Publishes a post and then requests a page that lists posts. */
const afterPost =
  (path: string, content = article(12_000, 5)) =>
  async (site: MeasuredSite) => {
    await site.freshPost(content);
    return get(path)();
  };

const search = (words: string): ((site: MeasuredSite) => Sent) => get(`/search?q=${encodeURIComponent(words)}`);

const preview = (content: string, title = 'A title') =>
  asUser('/api/preview', json({ title, content, featuredImage: '' }));

const guests: Readonly<Record<string, Cases>> = {
  'index.astro': {
    'many names of what is known': get('/', { 'if-none-match': '"a", '.repeat(ADDRESS / 5) }),
    'many encodings': get('/', { 'accept-encoding': 'a;q=0.1, '.repeat(ADDRESS / 9) }),
    'many languages': get('/?a', { 'accept-language': 'de;q=0.1,'.repeat(ADDRESS / 9) }),
    'many cookies': get('/?b', { cookie: 'a=b; '.repeat(ADDRESS / 5) }),
    'a long range': get('/', { range: `bytes=${'0-1,'.repeat(ADDRESS / 4)}2-3` }),
  },
  'page/[page].astro': numbered('/page/'),
  'post/[slug].astro': {
    'a stored page at the limit': get('/post/largest-prose'),
    'a stored page at the limit, uncompressed': get('/post/largest-prose', { 'accept-encoding': 'identity' }),
    'a post that is nowhere': get('/post/nowhere'),
    'a long slug': get(`/post/${'a'.repeat(ADDRESS)}`),
    'a slug of per cent signs': get(`/post/${'%41'.repeat(ADDRESS / 3)}`),
  },
  '[slug].astro': {
    'a page that is nowhere': get('/nowhere'),
    'the address of a post': get('/largest-prose'),
    'a long slug': get(`/${'a'.repeat(ADDRESS)}`),
  },
  'post/[slug]/share.png.ts': { 'a post that is nowhere': get('/post/nowhere/share.png') },
  'tag/[slug]/[...page].astro': {
    'a tag that nothing has': get('/tag/nothing'),
    'a long tag': get(`/tag/${'a'.repeat(ADDRESS)}`),
  },
  'tag/[slug]/feed.xml.ts': { 'a tag that nothing has': get('/tag/nothing/feed.xml') },
  'draft/[slug]/[key]/index.astro': {
    'a key that is none': get('/draft/nowhere/key'),
    'a long key': get(`/draft/nowhere/${'a'.repeat(ADDRESS)}`),
  },
  'draft/[slug]/[key]/v1/storage/buckets/[bucket]/files/[file]/[kind].ts': {
    'a key that is none': get('/draft/nowhere/key/v1/storage/buckets/media/files/nothing/view'),
  },
  'archive/[year]/[...page].astro': {
    'this year': get(`/archive/${new Date().getFullYear()}`),
    'a year without posts': get('/archive/1999'),
    ...numbered(`/archive/${new Date().getFullYear()}/page/`),
  },
  'author/[id]/[...page].astro': {
    'the author of everything': (site) => get(`/author/${site.owner.id}`)(),
    'the author of nothing': (site) => get(`/author/${site.stranger.id}`)(),
    'a page far behind': (site) => get(`/author/${site.owner.id}/page/9999`)(),
    'a long id': get(`/author/${'a'.repeat(ADDRESS)}`),
  },
  'search.astro': {
    'a common word': search('the ink that page'),
    'a letter': search('a'),
    'many words': search(prose(10_000)),
    'many letters': search('a b c d e f g h i j k l m n o p q r s t u v w x y z'),
    'as long as an address': search('x'.repeat(ADDRESS)),
    'marks of a query language': search('" OR * NEAR(a b, 9999) ^ : - ('.repeat(200)),
    'nothing that is found': search('zzzzzz'),
    'letters of another script': search('漢字'.repeat(1000)),
  },
  'sitemap-[part].xml.ts': {
    'the first part': get('/sitemap-1.xml'),
    'the last part': get('/sitemap-9999.xml'),
    'a long number': get(`/sitemap-${'9'.repeat(ADDRESS)}.xml`),
  },
  'app-icon-[size].png.ts': {
    'the largest icon': get('/app-icon-512.png'),
    'another size': get('/app-icon-9999.png'),
    'a long number': get(`/app-icon-${'9'.repeat(ADDRESS)}.png`),
  },
  '[key].txt.ts': { 'a long key': get(`/${'a'.repeat(ADDRESS)}.txt`) },
  'edit-post/[slug].astro': {
    plain: get('/edit-post/post-7'),
    'a long slug': get(`/edit-post/${'a'.repeat(ADDRESS)}`),
  },
  '400.astro': { 'a host that is none': get('/', { host: 'a b' }) },
  '403.astro': pages('/403'),
  '404.astro': {
    ...pages('/nowhere'),
    'a long address': get(`/${'a/'.repeat(ADDRESS / 2)}`),
    'an address of per cent signs': get(`/${'%2F'.repeat(ADDRESS / 3)}`),
    'an address of slashes': get('/'.repeat(ADDRESS)),
    'an asset that is nowhere': get(`/_astro/${'a'.repeat(ADDRESS)}`),
  },
  '405.astro': { 'a large body': () => ({ ...post('/', Buffer.alloc(10_000_000, 'a')), method: 'PUT' }) },
  '500.astro': pages('/500'),
  'api/[...path].ts': {
    'a large body': () => post('/api/nowhere', Buffer.alloc(10_000_000, 'a')),
    'a long address': get(`/api/${'a/'.repeat(ADDRESS / 2)}`),
  },
  'api/pages': {
    'a long token': get('/api/pages?path=/', { authorization: `Bearer ${'a'.repeat(ADDRESS)}` }),
    'a long path': get(`/api/pages?path=/${'a'.repeat(ADDRESS)}`),
  },
  'api/rebuild': {
    'a long token': () => post('/api/rebuild', json({}), { authorization: `Bearer ${'a'.repeat(ADDRESS)}` }),
  },
  'api/sync': {
    'a long token': () => post('/api/sync', json({}), { authorization: `Bearer ${'a'.repeat(ADDRESS)}` }),
  },
  'api/people': { 'a long search': get(`/api/people?search=${'a'.repeat(ADDRESS)}`) },
  'api/import': {
    'a part of a file': () => post(`/api/import?upload=${'a'.repeat(ADDRESS)}&offset=0`, Buffer.alloc(4_000_000, 'a')),
  },
  'api/site': { 'who may write': get('/api/site') },
  'api/recovery': {
    'an address': () => post('/api/recovery', json({ email: 'nobody@example.com' })),
    'a long address': () => post('/api/recovery', json({ email: 'a'.repeat(4000) })),
  },
  'api/authors': {
    'an author': async (site) => get(`/api/authors?posts=${site.post}`)(),
    'a hundred posts': get(`/api/authors?posts=${Array.from({ length: 100 }, (_, i) => `post-${i}`).join()}`),
    'a long list': get(`/api/authors?posts=${'a,'.repeat(ADDRESS / 2)}`),
  },
  'api/account/link': {
    'a link that nobody made': () => post('/api/account/link', json({ userId: 'x', sealed: 'x'.repeat(1000) })),
  },
  'api/passkeys/options': {
    'a sign-in': () => post('/api/passkeys/options', json({ for: 'use' })),
    'a sign-up': () =>
      post('/api/passkeys/options', json({ for: 'sign-up', name: 'a'.repeat(80), email: 'nobody@example.com' })),
  },
  'api/passkeys': {
    'a passkey that is none': () =>
      post('/api/passkeys', json({ action: 'sign-in', response: { id: 'a'.repeat(1400), rawId: 'a'.repeat(14_000) } })),
    'a new passkey that is none': () =>
      post(
        '/api/passkeys',
        json({
          ...{ action: 'sign-up', name: 'a', email: 'nobody@example.com' },
          response: { id: 'a', rawId: 'a', response: { attestationObject: 'm'.repeat(15_000), clientDataJSON: 'a' } },
        }),
      ),
  },
  'api/preview': {
    'a large body': () => post('/api/preview', Buffer.alloc(4_000_000, '[')),
    'a session that is none': () =>
      post('/api/preview', json({ title: '', content: 'x'.repeat(900_000) }), {
        cookie: `a_session_common-ink=${'a'.repeat(4000)}`,
      }),
  },
  'api/webhooks/appwrite': {
    'the largest body': () => post('/api/webhooks/appwrite', Buffer.alloc(8 * 1024 * 1024, '[')),
    'a body too large': () => post('/api/webhooks/appwrite', Buffer.alloc(20_000_000, '[')),
  },
};

const users: Readonly<Record<string, Cases>> = {
  'index.astro': { 'the first reader after a post': afterPost('/') },
  'archive/index.astro': { 'the first reader after a post': afterPost('/archive') },
  'page/[page].astro': { 'the first reader after a post': afterPost('/page/2') },
  'sitemap.xml.ts': { 'the first reader after a post': afterPost('/sitemap.xml') },
  ...Object.fromEntries(
    ['atom.xml', 'feed.xml', 'feed.json'].map((feed) => [
      `${feed}.ts`,
      {
        'the first reader after a post': afterPost(`/${feed}`),
        'the first reader after a post at the limit': afterPost(`/${feed}`, LARGEST_TEXTS.prose),
      },
    ]),
  ),
  'post/[slug].astro': {
    ...Object.fromEntries(
      Object.entries(LARGEST_TEXTS).map(([name, content]) => [`the first reader of ${name}`, firstReader(content)]),
    ),
    'the first reader of a usual post': firstReader(article(12_000, 5)),
    'the longest title': firstReader(article(12_000, 5), LONGEST_TITLE),
  },
  'post/[slug]/share.png.ts': {
    'the longest title': async (site) => get(`/post/${await site.freshPost('<p>a</p>', LONGEST_TITLE)}/share.png`)(),
    'a title of many words': async (site) =>
      get(`/post/${await site.freshPost('<p>a</p>', 'a '.repeat(127))}/share.png`)(),
  },
  'api/preview': {
    ...Object.fromEntries(Object.entries(LARGEST_TEXTS).map(([name, content]) => [name, preview(content)])),
    'a usual text': preview(article(12_000, 5)),
    'a long title': preview('<p>a</p>', '𝕎'.repeat(5000)),
    'a deep body': asUser('/api/preview', Buffer.from(`{"title":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`)),
  },
  'api/account/delete': {
    'a wrong password': asUser('/api/account/delete', json({ password: 'Wrong-password-1'.repeat(4) })),
  },
  'api/passkeys': { mine: asUser('/api/passkeys') },
  'api/passkeys/own': {
    'a wrong password': asUser(
      '/api/passkeys/own',
      json({ action: 'remove', id: 'a', proof: { password: 'Wrong-password-1'.repeat(4) } }),
    ),
    'a passkey that is none': asUser(
      '/api/passkeys/own',
      json({ action: 'add', name: 'a', response: { id: 'a', response: { attestationObject: 'g'.repeat(15_000) } } }),
    ),
  },
  'api/people': {
    everybody: asUser('/api/people'),
    'a deep body': asUser('/api/people', Buffer.from('['.repeat(4000))),
  },
  'api/import': {
    'how far it is': asUser('/api/import'),
    'a part of a file': asUser('/api/import?upload=a&offset=0', Buffer.alloc(4_000_000, 'a')),
  },
  'api/posts': {
    'somebody’s post': (site) => asUser('/api/posts', json({ action: 'take-back', slug: site.post }))(site),
  },
  'api/site': {
    'what I may': asUser('/api/site'),
    'who may write': asUser('/api/site', json({ writers: 'members' })),
  },
  'api/claim': { 'a wrong token': asUser('/api/claim', json({ token: 'a'.repeat(200) })) },
  'api/account/password': {
    'a new password': asUser('/api/account/password', json({ password: 'Wrong-password-1'.repeat(4) })),
  },
  'api/revalidate': {
    'a new name': asUser('/api/revalidate', json({ author: true })),
    'a post of somebody': (site) => asUser('/api/revalidate', json({ slug: site.post }))(site),
    'a post at the limit': (site) => asUser('/api/revalidate', json({ slug: site.largestPost }))(site),
    'a post that is nowhere': asUser('/api/revalidate', json({ slug: 'nowhere' })),
  },
  'api/pictures/copy': {
    'a large picture': (site) => asUser('/api/pictures/copy', json({ url: site.remotePicture }))(site),
    'a long address': asUser('/api/pictures/copy', json({ url: `http://127.0.0.1:9/${'a'.repeat(8000)}` })),
  },
};

const operators: Readonly<Record<string, Cases>> = {
  'api/rebuild': { everything: () => post('/api/rebuild', json({}), { authorization: `Bearer ${REBUILD_TOKEN}` }) },
  'api/pages': { plain: get('/api/pages?path=/', { authorization: `Bearer ${REBUILD_TOKEN}` }) },
};

const pageFiles = (): string[] =>
  globSync('**/*.{astro,ts}', { cwd: PAGES }).filter(
    (file) => !/(?:^|\/)_|\.test\.ts$/.test(file) && file !== 'api/preview.astro',
  );

/** Returns a page's path, or undefined for error pages and for pages with parameters in their path. */
function fixedPath(file: string): string | undefined {
  const path = file.replace(/(?:(?:^|\/)index)?\.(?:astro|ts)$/, '');
  return /[[\]]|^\d+$/.test(path) ? undefined : `/${path}`;
}

function* rowsOf(site: MeasuredSite, caller: CallerName, table: Readonly<Record<string, Cases>>): Generator<Row> {
  for (const [file, cases] of Object.entries(table)) {
    for (const [what, sent] of Object.entries(cases)) yield { route: file, caller, what, sent: () => sent(site) };
  }
}

/** Returns all rows. @throws Error with the pages that need a row but lack one */
export function pageRows(site: MeasuredSite): Row[] {
  const files = pageFiles();
  const missing = files.filter((file) => fixedPath(file) === undefined && !(file in guests));
  if (missing.length > 0) throw new Error(`Give tests/attack/cost/page-rows.ts a line for: ${missing.join(', ')}`);
  const fixed = files.flatMap((file) => {
    const path = fixedPath(file);
    return path === undefined ? [] : [[file, pages(path)] as const];
  });
  const paths = [...new Set(ROUTES.map(({ path }) => `api/${path}`))];
  const largeBodies = (sent: (path: string) => Cases[string]): Record<string, Cases> =>
    Object.fromEntries(paths.map((path) => [path, { 'a large body': sent(`/${path}`) }]));
  const tables: [CallerName, Readonly<Record<string, Cases>>][] = [
    ['guest', Object.fromEntries(fixed)],
    ['guest', largeBodies((path) => () => post(path, LARGE_BODY))],
    ['guest', guests],
    ['user', largeBodies((path) => asUser(path, LARGE_BODY))],
    ['user', users],
    ['key', operators],
  ];
  return tables.flatMap(([caller, table]) => [...rowsOf(site, caller, table)]);
}
