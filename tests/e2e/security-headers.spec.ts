import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WEBHOOK_PATH } from '#api/handlers/webhook.ts';
import { type RawHead, rawHead } from '../support/raw-head.ts';
import { expect, ownSite, type RunningSite, test, type Writer } from './site.ts';

const PAGES = join(import.meta.dirname, '../../src/pages');
const HTTPS_HOST = 'blog.example.com';
const KEY = 'key-of-the-search-engines';
const PROJECT = ['X-Appwrite-Project', 'common-ink'] as const;

/** A file in `src/pages` (empty if another handler responds), and a request for it with the expected status. */
type Row = readonly [route: string, target: string, status: number, method?: string];

type Content = Readonly<{ slug: string; picture: string; writer: Writer }>;

const WRITERS: readonly Row[] = [
  ['edit-post/[slug].astro', '/edit-post/x', 200],
  ['all-posts.astro', '/all-posts?scope=mine', 200],
  ...'login signup add-post account site claim welcome forgot-password reset-password verify-email all-posts'
    .split(' ')
    .map((name): Row => [`${name}.astro`, `/${name}`, 200]),
];

function othersOf({ slug, picture, writer }: Content): readonly Row[] {
  const file = `/v1/storage/buckets/media/files/${picture}`;
  return [
    ['index.astro', '/', 200],
    ['post/[slug].astro', `/post/${slug}`, 200],
    ['post/[slug].astro', '/post/nowhere', 404],
    ['post/[slug]/share.png.ts', `/post/${slug}/share.png`, 200],
    ['page/[page].astro', '/page/9', 404],
    ['author/[id]/[...page].astro', `/author/${writer.id}`, 200],
    ['archive/index.astro', '/archive', 200],
    ['archive/[year]/[...page].astro', `/archive/${new Date().getUTCFullYear()}`, 200],
    ['search.astro', '/search?q=a', 200],
    ['feed.xml.ts', '/feed.xml', 200],
    ['atom.xml.ts', '/atom.xml', 200],
    ['feed.json.ts', '/feed.json', 200],
    ['sitemap.xml.ts', '/sitemap.xml', 200],
    ['sitemap-[part].xml.ts', '/sitemap-9.xml', 404],
    ['tag/[slug]/[...page].astro', '/tag/nothing', 404],
    ['tag/[slug]/feed.xml.ts', '/tag/nothing/feed.xml', 404],
    ['[slug].astro', '/about', 404],
    ['tags.json.ts', '/tags.json', 200],
    ['site.css.ts', '/site.css', 200],
    ['app.webmanifest.ts', '/app.webmanifest', 200],
    ['app-icon-[size].png.ts', '/app-icon-192.png', 200],
    ['', '/writers-worker.js', 200],
    ['', '/add-post', 303, 'POST'],
    ['robots.txt.ts', '/robots.txt', 200],
    ['draft/[slug]/[key]/index.astro', `/draft/${slug}/key`, 404],
    ['draft/[slug]/[key]/v1/storage/buckets/[bucket]/files/[file]/[kind].ts', `/draft/${slug}/key${file}/view`, 404],
    ['[key].txt.ts', `/${KEY}.txt`, 200],
    ['.well-known/security.txt.ts', '/.well-known/security.txt', 200],
    ['400.astro', '/400', 400],
    ['400.astro', '/%', 400],
    ['403.astro', '/403', 403],
    ['404.astro', '/nowhere', 404],
    ['405.astro', '/login', 405, 'PUT'],
    ['500.astro', '/500', 500],
    ['api/[...path].ts', '/api/nothing', 404],
    ['api/[...path].ts', '/api/authors', 200],
    ['api/[...path].ts', '/api/account/link', 400, 'POST'],
    ['api/[...path].ts', '/api/people', 401],
    ['api/[...path].ts', '/api/people', 401, 'POST'],
    ['api/[...path].ts', '/api/import', 401],
    ['api/[...path].ts', '/api/pages', 403],
    ['api/[...path].ts', '/api/peers', 403, 'POST'],
    ['api/[...path].ts', WEBHOOK_PATH, 401, 'POST'],
    ['api/preview.astro', '/api/preview', 401, 'POST'],
    ['api/subscribe.astro', '/api/subscribe', 404],
    ['api/subscription.astro', '/api/subscription?token=x', 404],
    ['', '/PAGE/1', 301],
    ['', '/login/', 301],
    ['', '/favicon.svg', 200],
    ['', '/healthz', 200],
    ['', '/up', 200],
    ['', '/readyz', 200],
    ['', '/_astro/nothing.js', 404],
    ['', '/v1/health/version', 200],
    ['', '/v1/nothing', 404],
    ['', '/v1/account', 401],
    ['', '/v1/account', 204, 'OPTIONS'],
    ['', `${file}/view?project=common-ink`, 200],
    ['', `${file}/download?project=common-ink`, 200],
    ['', `${file}/preview?project=common-ink&width=320&height=0&output=avif`, 200],
  ];
}

const portOf = (site: RunningSite): number => Number(new URL(site.url).port);
const header = (head: RawHead, name: string): string => (head.headers.get(name) ?? []).join(' and ');

/** Returns the policy: it hides draft URLs from all sites, and writers' and subscribers' URLs from other sites. */
function referrerPolicy(target: string, isWriters: boolean): string {
  if (target.startsWith('/draft/')) return 'no-referrer';
  return isWriters || target.startsWith('/api/subscri') ? 'same-origin' : 'strict-origin-when-cross-origin';
}

async function withContent(site: RunningSite): Promise<Content> {
  const writer = await site.writer();
  const { id: slug, featuredImage: picture } = await site.post(writer);
  return { slug, picture, writer };
}

for (const [how, environment, host, forwarded, hsts] of [
  ['http', {}, '127.0.0.1', [], ''],
  [
    'https, behind a trusted proxy',
    { SITE_URL: `https://${HTTPS_HOST}`, TRUSTED_PROXIES: 'loopback' },
    HTTPS_HOST,
    [['X-Forwarded-Proto', 'https']],
    'max-age=31536000',
  ],
] as const) {
  test(`every answer has the security headers over ${how} @embedded`, async () => {
    const keys = { INDEXNOW_KEY: KEY, INDEXNOW_ENDPOINT: 'http://127.0.0.1:9/' };
    const contact = { SECURITY_CONTACT: 'security@example.com' };
    await using site = await ownSite({ environment: { ...keys, ...contact, ...environment } });
    const others = othersOf(await withContent(site));
    const port = portOf(site);
    const ask = async ([, target, , method = 'GET']: Row, more: readonly (readonly [string, string])[] = []) => {
      const isOpen = target.startsWith('/v1/') && method !== 'OPTIONS' && !target.includes('project=');
      const sent = method === 'POST' ? ([['Content-Type', 'application/json']] as const) : [];
      const headers = [['Host', host], ...forwarded, ...(isOpen ? [PROJECT] : []), ...sent, ...more] as const;
      const request = { method, target, headers, ...(method === 'POST' && { body: '{}' }) };
      let answer = await rawHead(port, request);
      // A busy site asks the client to try again, and does not count as ready.
      while (answer.status === 503) answer = await rawHead(port, request);
      return answer;
    };
    for (const row of [...others, ...WRITERS]) {
      const [, target, status] = row;
      const isWriters = WRITERS.includes(row);
      // The fast path answers the second request. The third has an unusual header, so the HTTP server answers it.
      const answers = [await ask(row), await ask(row), await ask(row, [['TE', 'trailers']])];
      for (const answer of answers) {
        const names = ['x-content-type-options', 'referrer-policy', 'strict-transport-security'];
        const sent = [answer.status, ...names.map((name) => header(answer, name))];
        const policy = referrerPolicy(target, isWriters || /^\/(?:login|add-post)$/.test(target));
        expect.soft(sent, target).toEqual([status, 'nosniff', policy, hsts]);
        if (isWriters) expect.soft(header(answer, 'cache-control'), target).toBe('private, no-cache');
      }
    }
    const assets = readdirSync(join(import.meta.dirname, '../../dist/client/_astro'));
    const built = await ask(['', `/_astro/${assets.find((name) => name.endsWith('.js'))}`, 200]);
    expect([built.status, header(built, 'x-content-type-options')]).toEqual([200, 'nosniff']);
    const etag = header(await ask(['', '/', 200]), 'etag');
    for (const unusual of [[], [['TE', 'trailers']]] as const) {
      const same = await ask(['', '/', 304], [['If-None-Match', etag], ...unusual]);
      expect([same.status, header(same, 'x-content-type-options')]).toEqual([304, 'nosniff']);
    }
  });
}

test('the table above names every route there is @embedded', () => {
  const routes = readdirSync(PAGES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('_'))
    .map((entry) => join(entry.parentPath, entry.name).slice(PAGES.length + 1))
    .sort();
  const rows = [...othersOf({ slug: '', picture: '', writer: {} as Writer }), ...WRITERS];
  expect([...new Set(rows.map(([route]) => route))].filter(Boolean).sort()).toEqual(routes);
});

test('a site without a security contact has no security.txt @embedded', async ({ site }) =>
  expect(await site.status('/.well-known/security.txt')).toBe(404));
