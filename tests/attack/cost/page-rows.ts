/** Rows for files in `src/pages` and paths of the API. A route without an entry fails the test. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '#api/routes.ts';
import type { Sent } from './measure.ts';
import { type CallerName, type MeasuredSite, REBUILD_TOKEN, sessionHeaders as signIn } from './measured-site.ts';
import { JSON_TYPE, json, type Row } from './row.ts';
import { article, LARGEST_TEXTS, LONGEST_TITLE, prose } from './texts.ts';

const PAGES = join(import.meta.dirname, '..', '..', '..', 'src', 'pages');
/** Leaves some room in the bytes of an address. */
const ADDRESS = 60_000;

type Cases = Readonly<Record<string, (site: MeasuredSite) => Sent | Promise<Sent>>>;

let addresses = 0;
/** Returns a new client address for each request, since searches and secrets are limited by address. */
function from(): string {
  addresses++;
  return `127.9.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

const get =
  (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (): Sent => ({
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'br', ...headers },
    from: from(),
  });
const post = (path: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Sent => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...headers },
  body,
  from: from(),
});

/** Returns rows for a page, without a query and with the longest one. */
const pages = (path: string): Cases => ({
  plain: get(path),
  'a long query': get(`${path}?${'a=b&'.repeat(ADDRESS / 4)}`),
});
const numbered = (path: string): Cases => ({
  'the second page': get(`${path}2`),
  'a page far behind': get(`${path}999999`),
  'a long number': get(path + '9'.repeat(ADDRESS)),
});

/** Requests a new post's page, whose cost is its author's doing. */
const firstReader = (content: string, title?: string) => async (site: MeasuredSite) =>
  get(`/post/${await site.freshPost(content, title)}`)();

/** Requests a page that lists posts after a post was published. */
const afterPost =
  (path: string, content = article(12_000, 5)) =>
  async (site: MeasuredSite) => {
    await site.freshPost(content);
    return get(path)();
  };

const search = (words: string): ((site: MeasuredSite) => Sent) => get(`/search?q=${encodeURIComponent(words)}`);

const preview =
  (content: string, title = 'A title') =>
  async (site: MeasuredSite) => {
    const user = await site.freshUser();
    return post('/api/preview', json({ title, content, featuredImage: '' }), signIn(user));
  };

const guests: Readonly<Record<string, Cases>> = {
  'index.astro': {
    ...pages('/'),
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
  'post/[slug]/share.png.ts': {
    'a post that is nowhere': get('/post/nowhere/share.png'),
  },
  'archive/index.astro': pages('/archive'),
  'tag/[slug]/[...page].astro': {
    'a tag that nothing has': get('/tag/nothing'),
    'a long tag': get(`/tag/${'a'.repeat(ADDRESS)}`),
  },
  'tag/[slug]/feed.xml.ts': { 'a tag that nothing has': get('/tag/nothing/feed.xml') },
  'tags.json.ts': pages('/tags.json'),
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
  'sitemap.xml.ts': pages('/sitemap.xml'),
  'sitemap-[part].xml.ts': {
    'the first part': get('/sitemap-1.xml'),
    'the last part': get('/sitemap-9999.xml'),
    'a long number': get(`/sitemap-${'9'.repeat(ADDRESS)}.xml`),
  },
  'atom.xml.ts': pages('/atom.xml'),
  'feed.xml.ts': pages('/feed.xml'),
  'feed.json.ts': pages('/feed.json'),
  'robots.txt.ts': pages('/robots.txt'),
  '[key].txt.ts': { 'a long key': get(`/${'a'.repeat(ADDRESS)}.txt`) },
  'login.astro': pages('/login'),
  'signup.astro': pages('/signup'),
  'add-post.astro': pages('/add-post'),
  'account.astro': pages('/account'),
  'site.astro': pages('/site'),
  'claim.astro': pages('/claim'),
  'welcome.astro': pages('/welcome'),
  'forgot-password.astro': pages('/forgot-password'),
  'reset-password.astro': pages('/reset-password'),
  'verify-email.astro': pages('/verify-email'),
  'all-posts.astro': pages('/all-posts'),
  'edit-post/[slug].astro': {
    plain: get('/edit-post/usual-7'),
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
  'api/peers': { 'a large body': () => post('/api/peers', Buffer.alloc(10_000_000, '[')) },
  'api/rebuild': {
    'a long token': () => post('/api/rebuild', json({}), { authorization: `Bearer ${'a'.repeat(ADDRESS)}` }),
    'a large body': () => post('/api/rebuild', Buffer.alloc(10_000_000, '[')),
  },
  'api/account/delete': { 'a large body': () => post('/api/account/delete', Buffer.alloc(10_000_000, '[')) },
  'api/people': {
    'a long search': get(`/api/people?search=${'a'.repeat(ADDRESS)}`),
    'a large body': () => post('/api/people', Buffer.alloc(10_000_000, '[')),
  },
  'api/posts': { 'a large body': () => post('/api/posts', Buffer.alloc(10_000_000, '[')) },
  'api/import': {
    'a large body': () => post('/api/import', Buffer.alloc(10_000_000, '[')),
    'a part of a file': () => post(`/api/import?upload=${'a'.repeat(ADDRESS)}&offset=0`, Buffer.alloc(4_000_000, 'a')),
  },
  'api/site': {
    'who may write': get('/api/site'),
    'a large body': () => post('/api/site', Buffer.alloc(10_000_000, '[')),
  },
  'api/recovery': {
    'an address': () => post('/api/recovery', json({ email: 'nobody@example.com' })),
    'a long address': () => post('/api/recovery', json({ email: 'a'.repeat(4000) })),
    'a large body': () => post('/api/recovery', Buffer.alloc(10_000_000, '[')),
  },
  'api/authors': {
    'an author': async (site) => get(`/api/authors?posts=${site.post}`)(),
    'a hundred posts': get(`/api/authors?posts=${Array.from({ length: 100 }, (_, i) => `post-${i}`).join()}`),
    'a long list': get(`/api/authors?posts=${'a,'.repeat(ADDRESS / 2)}`),
  },
  'api/draft-link': { 'a large body': () => post('/api/draft-link', Buffer.alloc(10_000_000, '[')) },
  'api/claim': { 'a large body': () => post('/api/claim', Buffer.alloc(10_000_000, '[')) },
  'api/account/link': {
    'a link that nobody made': () => post('/api/account/link', json({ userId: 'x', sealed: 'x'.repeat(1000) })),
    'a large body': () => post('/api/account/link', Buffer.alloc(10_000_000, '[')),
  },
  'api/account/password': { 'a large body': () => post('/api/account/password', Buffer.alloc(10_000_000, '[')) },
  'api/revalidate': { 'a large body': () => post('/api/revalidate', Buffer.alloc(10_000_000, '[')) },
  'api/preview': {
    'a large body': () => post('/api/preview', Buffer.alloc(4_000_000, '[')),
    'a session that is none': () =>
      post('/api/preview', json({ title: '', content: 'x'.repeat(900_000) }), {
        cookie: `a_session_common-ink=${'a'.repeat(4000)}`,
      }),
  },
  'api/pictures/copy': { 'a large body': () => post('/api/pictures/copy', Buffer.alloc(10_000_000, '[')) },
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
  'atom.xml.ts': {
    'the first reader after a post': afterPost('/atom.xml'),
    'the first reader after a post at the limit': afterPost('/atom.xml', LARGEST_TEXTS.prose),
  },
  'feed.xml.ts': {
    'the first reader after a post': afterPost('/feed.xml'),
    'the first reader after a post at the limit': afterPost('/feed.xml', LARGEST_TEXTS.prose),
  },
  'feed.json.ts': {
    'the first reader after a post': afterPost('/feed.json'),
    'the first reader after a post at the limit': afterPost('/feed.json', LARGEST_TEXTS.prose),
  },
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
    'a deep body': async (site) => {
      const body = Buffer.from(`{"title":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`);
      return post('/api/preview', body, signIn(await site.freshUser()));
    },
  },
  'api/account/delete': {
    'a wrong password': async (site) =>
      post('/api/account/delete', json({ password: 'Wrong-password-1'.repeat(4) }), signIn(await site.freshUser())),
  },
  'api/people': {
    everybody: async (site) => get('/api/people', signIn(await site.freshUser()))(),
    'a deep body': async (site) => post('/api/people', Buffer.from('['.repeat(4000)), signIn(await site.freshUser())),
  },
  'api/import': {
    'how far it is': async (site) => get('/api/import', signIn(await site.freshUser()))(),
    'a part of a file': async (site) =>
      post('/api/import?upload=a&offset=0', Buffer.alloc(4_000_000, 'a'), signIn(await site.freshUser())),
    'a large body': async (site) => post('/api/import', Buffer.alloc(10_000_000, '['), signIn(await site.freshUser())),
  },
  'api/posts': {
    'somebody’s post': async (site) =>
      post('/api/posts', json({ action: 'take-back', slug: site.post }), signIn(await site.freshUser())),
  },
  'api/site': {
    'what I may': async (site) => get('/api/site', signIn(await site.freshUser()))(),
    'who may write': async (site) => post('/api/site', json({ writers: 'members' }), signIn(await site.freshUser())),
  },
  'api/claim': {
    'a wrong token': async (site) =>
      post('/api/claim', json({ token: 'a'.repeat(200) }), signIn(await site.freshUser())),
  },
  'api/account/password': {
    'a new password': async (site) =>
      post('/api/account/password', json({ password: 'Wrong-password-1'.repeat(4) }), signIn(await site.freshUser())),
  },
  'api/revalidate': {
    'a new name': async (site) => post('/api/revalidate', json({ author: true }), signIn(await site.freshUser())),
    'a post of somebody': async (site) =>
      post('/api/revalidate', json({ slug: site.post }), signIn(await site.freshUser())),
    'a post at the limit': async (site) =>
      post('/api/revalidate', json({ slug: site.largestPost }), signIn(await site.freshUser())),
    'a post that is nowhere': async (site) =>
      post('/api/revalidate', json({ slug: 'nowhere' }), signIn(await site.freshUser())),
  },
  'api/pictures/copy': {
    'a large picture': async (site) =>
      post('/api/pictures/copy', json({ url: site.remotePicture }), signIn(await site.freshUser())),
    'a long address': async (site) =>
      post(
        '/api/pictures/copy',
        json({ url: `http://127.0.0.1:9/${'a'.repeat(8000)}` }),
        signIn(await site.freshUser()),
      ),
  },
};

/** Measures the operator's routes for comparison. */
const operators: Readonly<Record<string, Cases>> = {
  'api/rebuild': {
    everything: () => post('/api/rebuild', json({}), { authorization: `Bearer ${REBUILD_TOKEN}` }),
  },
  'api/pages': { plain: get('/api/pages?path=/', { authorization: `Bearer ${REBUILD_TOKEN}` }) },
};

/** Returns the files of `src/pages` that answer requests, and the routes of the API. */
export function pageFiles(): string[] {
  const files = globSync('**/*.{astro,ts}', { cwd: PAGES }).filter(
    (file) => !/(?:^|\/)_|\.test\.ts$/.test(file) && file !== 'api/preview.astro',
  );
  return [...files, ...new Set(ROUTES.map(({ path }) => `api/${path}`))].sort();
}

/** Returns the pages that have no row. */
export function missingPages(files = pageFiles()): string[] {
  return files.filter((file) => !(file in guests));
}

function* rowsOf(site: MeasuredSite, caller: CallerName, table: Readonly<Record<string, Cases>>): Generator<Row> {
  for (const [file, cases] of Object.entries(table)) {
    for (const [what, sent] of Object.entries(cases)) {
      yield { route: file, caller, what, sent: () => sent(site) };
    }
  }
}

/**
 * Returns all rows. @throws Error with the pages that have none.
 */
export function pageRows(site: MeasuredSite): Row[] {
  const missing = missingPages();
  if (missing.length > 0) throw new Error(`Give tests/attack/cost/page-rows.ts a line for: ${missing.join(', ')}`);
  return [...rowsOf(site, 'guest', guests), ...rowsOf(site, 'user', users), ...rowsOf(site, 'key', operators)];
}
