import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gateway, type ScriptedPage, startSite, type TestSite } from '../../tests/support/store/site.ts';

const BODY = `<!doctype html><title>One</title>${'<p>The same words again. </p>'.repeat(100)}`;

let site: TestSite;
beforeEach(async () => {
  site = await startSite();
  site.pages.set('/post/one', { html: BODY, tags: ['post:one', 'author:ann'], headers: { 'x-own': 'yes' } });
  site.pages.set('/', { html: '<h1>Home</h1>', tags: ['posts'] });
});
afterEach(() => site.close());

describe('a stored page', () => {
  test('is rendered once and then sent as it is, with its own headers and what CDNs need', async () => {
    const first = await site.get('/post/one');
    const { text, headers } = await site.get('/post/one');
    expect(first.headers['x-page']).toBe('rendered; age=0');
    expect(text).toBe(BODY);
    expect(headers).toMatchObject({
      'x-page': expect.stringMatching(/^hit; age=\d+$/),
      'server-timing': 'page;desc="hit"',
      'content-type': 'text/html; charset=utf-8',
      'x-own': 'yes',
      'cache-control': 'public, max-age=0, must-revalidate',
      'cdn-cache-control': 'public, max-age=0, must-revalidate',
      'cache-tag': 'site,author:ann,post:one',
      'surrogate-key': 'site author:ann post:one',
    });
    for (const name of ['x-page-ttl', 'x-page-tags']) expect(headers).not.toHaveProperty(name);
    expect(site.renders).toEqual(['/post/one']);
  });

  test('is sent in the encoding the client prefers, each with its own strong validator, from one render', async () => {
    const forms = await Promise.all(
      [undefined, 'gzip', 'gzip, deflate, br, zstd'].map((accepts) =>
        site.get('/post/one', accepts ? { 'accept-encoding': accepts } : {}),
      ),
    );
    expect(forms.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    const [identity, gzip, br] = forms.map(({ body }) => body) as [Buffer, Buffer, Buffer];
    expect(identity.toString()).toBe(BODY);
    expect(gunzipSync(gzip).toString()).toBe(BODY);
    expect(brotliDecompressSync(br).toString()).toBe(BODY);
    expect(new Set(forms.map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers, body } of forms) {
      expect(headers.etag).toMatch(/^"[\w-]+"$/);
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['content-length']).toBe(String(body.length));
    }
    expect(site.renders).toEqual(['/post/one']);
  });

  test('is a 304 for a matching validator, weak ones included, and a 200 for another encoding', async () => {
    const { headers } = await site.get('/post/one', { 'accept-encoding': 'br' });
    const etag = headers.etag as string;
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await site.get('/post/one', { 'accept-encoding': 'br', 'if-none-match': held });
      expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag]);
      expect(answer.headers).not.toHaveProperty('content-length');
    }
    const other = await site.get('/post/one', { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  test('answers HEAD with the headers alone', async () => {
    const got = await site.get('/post/one');
    const head = await site.get('/post/one', {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(head.headers.etag).toBe(got.headers.etag);
  });

  test('is written to a folder that any web server can serve', async () => {
    await site.get('/post/one');
    await site.get('/');
    const folder = join(site.directory, 'public');
    expect(readFileSync(join(folder, 'post/one/index.html'), 'utf8')).toBe(BODY);
    expect(gunzipSync(readFileSync(join(folder, 'post/one/index.html.gz'))).toString()).toBe(BODY);
    expect(brotliDecompressSync(readFileSync(join(folder, 'post/one/index.html.br'))).toString()).toBe(BODY);
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'index.html.br', 'index.html.gz', 'post']);
  });

  test('gets another validator when only its headers changed', async () => {
    const before = await site.get('/post/one');
    site.pages.set('/post/one', { html: BODY, tags: ['post:one'], headers: { 'content-security-policy': 'x' } });
    site.store.invalidate({ tags: ['post:one'] });
    const after = await site.get('/post/one', { 'if-none-match': before.headers.etag as string });
    expect(after.status).toBe(200);
    expect(after.text).toBe(BODY);
    expect(after.headers['content-security-policy']).toBe('x');
  });
});

describe('a response that is not stored', () => {
  test.each<[string, ScriptedPage]>([
    ['a 404', { status: 404, html: 'none' }],
    ['a redirect', { status: 302, headers: { location: '/' } }],
    ['a page that did not ask', { html: 'shy', maxAge: 0 }],
    ['a page that sets a cookie', { html: 'a', headers: { 'set-cookie': 'who=alice' } }],
    ['a page that varies by its visitor', { html: 'a', headers: { vary: 'Accept-Encoding, Cookie' } }],
  ])('is %s: each reader gets a new render, and no cookie', async (_, page) => {
    site.pages.set('/post/one', page);
    for (let i = 0; i < 2; i++) {
      const answer = await site.get('/post/one');
      expect([answer.status, answer.headers['cache-control']]).toEqual([page.status ?? 200, 'no-store']);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
    expect([site.store.holds('/post/one'), site.renders.length]).toEqual([false, 2]);
  });

  test('is sent in the encoding the client prefers', async () => {
    const html = `<h1>Not here</h1>${'<p>Nothing of this name.</p>'.repeat(200)}`;
    site.pages.set('/post/none', { html, status: 404 });
    for (const [accepted, coding, unpack] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (body: Buffer) => body],
    ] as const) {
      const answer = await site.get('/post/none', { 'accept-encoding': accepted });
      expect([answer.status, answer.headers['content-encoding'], answer.headers.vary]).toEqual([
        404,
        coding,
        'Accept-Encoding',
      ]);
      expect(Number(answer.headers['content-length'])).toBe(answer.body.length);
      expect(unpack(answer.body).toString()).toBe(html);
    }
  });

  test('is the same page under any query', async () => {
    for (let i = 0; i < 20; i++) expect((await site.get(`/?q=${i}&utm_source=x`)).text).toBe('<h1>Home</h1>');
    expect(site.store.statistics().pages).toBe(1);
    expect(site.renders).toEqual(['/']);
  });
});

describe('a change', () => {
  test('by tag renders the pages with that tag again, and by the tag `site` every page', async () => {
    await site.get('/post/one');
    await site.get('/');
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).text).toBe('new');
    expect((await site.get('/')).headers['x-page']).toMatch(/^hit/);
    site.store.invalidate({ tags: ['site'] });
    await site.get('/post/one');
    await site.get('/');
    expect(site.renders).toEqual(['/post/one', '/', '/post/one', '/post/one', '/']);
  });

  test('that leaves the page as it was keeps its validator', async () => {
    const before = await site.get('/post/one');
    site.store.invalidate({ tags: ['post:one'] });
    const after = await site.get('/post/one', { 'if-none-match': before.headers.etag as string });
    expect(after.status).toBe(304);
    expect(site.renders.length).toBe(2);
  });

  test('shows the old page until the writer’s render is done', async () => {
    // The clock stands still between the two.
    await site.restart({ now: () => 1_800_000_000_000 });
    await site.get('/');
    const door = gateway();
    site.gate.after = () => door.opened;
    site.pages.set('/', { html: 'new', tags: ['posts'] });
    const change = site.store.invalidate({ tags: ['posts'] }, ['/']);
    const refreshed = site.store.refresh('/', change, 'test');
    const during = await site.get('/');
    expect([during.text, during.headers['x-page']]).toEqual(['<h1>Home</h1>', 'stale; age=0']);
    door.open();
    expect(await refreshed).toMatchObject({ kind: 'stored', changed: true });
    expect((await site.get('/')).text).toBe('new');
  });

  test('during a render outdates its result: later requests get a later render', async () => {
    const [begun, door] = [gateway(), gateway()];
    site.gate.after = async () => {
      begun.open();
      await door.opened;
    };
    const early = site.get('/post/one');
    await begun.opened;
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    site.store.invalidate({ tags: ['post:one'] });
    const late = site.get('/post/one');
    door.open();
    expect((await early).text).toBe(BODY);
    expect((await late).text).toBe('new');
    expect((await site.get('/post/one')).text).toBe('new');
    expect(site.renders.length).toBe(2);
  });

  test('during a render outdates a page whose new version has its tag', async () => {
    const [begun, door] = [gateway(), gateway()];
    site.gate.after = async () => {
      begun.open();
      await door.opened;
    };
    const early = site.get('/post/one');
    await begun.opened;
    site.store.invalidate({ tags: ['author:ann'] });
    door.open();
    await early;
    expect(site.store.explain('/post/one')?.state).toBe('outdated');
  });
});

describe('a full disk', () => {
  test('keeps a new page in memory, and stores it once there is room', async () => {
    let hasRoom = false;
    await site.restart({ hasRoom: () => hasRoom });
    for (const label of [/^rendered/, /^hit/]) {
      const answer = await site.get('/post/one');
      expect(answer.status).toBe(200);
      expect(answer.headers['x-page']).toMatch(label);
    }
    expect(site.store.explain('/post/one')?.onDisk).toBe(false);
    expect(existsSync(join(site.directory, 'public/post/one/index.html'))).toBe(false);
    hasRoom = true;
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).text).toBe('new');
    expect(site.store.explain('/post/one')?.onDisk).toBe(true);
  });

  test('leaves no older version of a page in the folder', async () => {
    let hasRoom = true;
    await site.restart({ hasRoom: () => hasRoom });
    await site.get('/post/one');
    hasRoom = false;
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).text).toBe('new');
    expect(existsSync(join(site.directory, 'public/post/one/index.html'))).toBe(false);
    await site.restart();
    expect((await site.get('/post/one')).text).toBe('new');
  });
});

describe('a removal', () => {
  test('takes the page from readers, from the folder and from the next start', async () => {
    await site.get('/post/one');
    site.pages.delete('/post/one');
    const removed = await site.store.remove({ tags: ['post:one'] });
    expect(removed).toEqual(['/post/one']);
    expect(existsSync(join(site.directory, 'public/post/one'))).toBe(false);
    expect((await site.get('/post/one')).status).toBe(404);
    await site.restart();
    expect(site.store.holds('/post/one')).toBe(false);
  });

  test('takes the lists that name the post, and those that name no post at all', async () => {
    site.pages.set('/', { html: 'one, two', tags: ['posts', 'post:one', 'post:two'] });
    site.pages.set('/page/2', { html: 'three', tags: ['posts', 'post:three'] });
    site.pages.set('/page/3', { html: 'who knows', tags: ['posts'] });
    for (const path of ['/', '/page/2', '/page/3']) await site.get(path);
    const removed = await site.store.remove({ tags: ['post:one'] });
    expect(removed.sort()).toEqual(['/', '/page/3']);
  });

  test('discards the render that was under way', async () => {
    const [begun, door] = [gateway(), gateway()];
    site.gate.after = async () => {
      begun.open();
      await door.opened;
    };
    const early = site.get('/post/one');
    await begun.opened;
    site.pages.delete('/post/one');
    const removal = site.store.remove({ tags: ['post:one'] });
    door.open();
    await removal;
    expect((await early).status).toBe(404);
    expect(site.store.holds('/post/one')).toBe(false);
  });

  test('spares pages rendered since the change', async () => {
    await site.get('/');
    const change = site.store.invalidate({ tags: ['posts'] }, ['/']);
    await site.store.refresh('/', change, 'test');
    expect(await site.store.remove({ tags: ['post:one'] }, change)).toEqual([]);
  });
});

describe('a failing backend', () => {
  test('leaves outdated pages to be sent as stale', async () => {
    await site.restart({ now: () => 1_800_000_000_000 });
    await site.get('/post/one');
    site.pages.set('/post/one', { status: 503, html: 'down' });
    site.store.invalidate({ tags: ['post:one'] });
    const answers = [await site.get('/post/one'), await site.get('/post/one')];
    for (const { status, text, headers } of answers) {
      expect([status, text, headers['x-page']]).toEqual([200, BODY, 'stale; age=0']);
    }
  });

  test('sends the site’s own error for a page that is not stored', async () => {
    site.pages.set('/post/one', { status: 503, html: 'Error: no backend' });
    const answer = await site.get('/post/one');
    expect([answer.status, answer.text, answer.headers['retry-after']]).toEqual([503, 'Error: no backend', '5']);
  });

  test('sends a 503 when the renderer throws', async () => {
    site.gate.before = () => {
      throw new Error('no');
    };
    const answer = await site.get('/post/one');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.text).toContain('Retry');
  });

  test('is asked again after a second', async () => {
    let now = 1_800_000_000_000;
    await site.restart({ now: () => now });
    await site.get('/post/one');
    site.pages.set('/post/one', { status: 503 });
    site.store.invalidate({ tags: ['post:one'] });
    await site.get('/post/one');
    site.pages.set('/post/one', { html: 'back', tags: ['post:one'] });
    expect((await site.get('/post/one')).text).toBe(BODY);
    now += 1001;
    expect((await site.get('/post/one')).text).toBe('back');
  });

  test('that hangs keeps no reader of an outdated page waiting', async () => {
    await site.restart({ renderTimeout: 3_600_000, idleTimeout: 50 });
    await site.get('/post/one');
    const door = gateway();
    site.gate.before = () => door.opened;
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).headers['x-page']).toMatch(/^stale/);
    door.open();
  });

  test('that hangs is given up', async () => {
    await site.restart({ renderTimeout: 50 });
    const door = gateway();
    site.gate.before = () => door.opened;
    expect((await site.get('/post/none')).status).toBe(503);
    door.open();
  });
});

describe('after a restart', () => {
  test('a stored page is sent at once and confirmed in the background', async () => {
    const before = await site.get('/post/one', { 'accept-encoding': 'br' });
    const door = gateway();
    site.gate.before = () => door.opened;
    await site.restart();
    const after = await site.get('/post/one', { 'accept-encoding': 'br' });
    expect(after.body.equals(before.body)).toBe(true);
    expect(after.headers.etag).toBe(before.headers.etag);
    expect(after.headers['x-page']).toMatch(/^hit/);
    expect(site.store.explain('/post/one')?.state).toBe('unconfirmed since the restart');
    door.open();
    await expect.poll(() => site.store.explain('/post/one')?.state).toBe('current');
  });

  test('an outdated page is still outdated', async () => {
    await site.get('/post/one');
    site.store.invalidate({ tags: ['post:one'] });
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    await site.restart();
    expect((await site.get('/post/one')).text).toBe('new');
  });

  test('a page of another build is rendered again before it is shown, if it can be', async () => {
    await site.restart({ build: 'a' });
    await site.get('/post/one');
    await site.get('/');
    site.pages.set('/post/one', { html: 'new look', tags: ['post:one'] });
    site.pages.set('/', { status: 503 });
    await site.restart({ build: 'b' });
    expect((await site.get('/post/one')).text).toBe('new look');
    expect((await site.get('/')).text).toBe('<h1>Home</h1>');
  });

  test('a file that is not what was stored is never sent', async () => {
    await site.get('/post/one');
    writeFileSync(join(site.directory, 'public/post/one/index.html'), BODY.slice(0, -1));
    await site.restart();
    const answer = await site.get('/post/one');
    expect(answer.text).toBe(BODY);
    expect(answer.headers['x-page']).toMatch(/^rendered/);
    expect(site.logged).toContain('warn The stored page /post/one is damaged; it is rendered again.');
  });
});

describe('bounds', () => {
  const page = (i: number) => ({ html: `<p>${i}</p>${'x'.repeat(3000)}`, tags: [`post:p${i}`] });

  test('on disk: the pages unread for longest are dropped', async () => {
    let now = 1_800_000_000_000;
    await site.restart({ maximumBytes: 40_000, now: () => now });
    for (let i = 0; i < 40; i++) {
      site.pages.set(`/post/p${i}`, page(i));
      await site.get(`/post/p${i}`);
      now += 1000;
      await site.get('/post/p0');
    }
    const { pages, bytes } = site.store.statistics();
    expect(bytes).toBeLessThanOrEqual(40_000);
    expect(pages).toBeGreaterThan(5);
    expect([site.store.holds('/post/p0'), site.store.holds('/post/p39')]).toEqual([true, true]);
    await site.store.close();
    expect(readdirSync(join(site.directory, 'public/post')).length).toBe(pages);
  });

  test('in memory: br and gzip are kept, and the plain body once it was requested', async () => {
    const html = Array.from({ length: 2000 }, (_, n) => `<p>${n * n}</p>`).join('');
    site.pages.set('/', { html });
    await site.get('/', { 'accept-encoding': 'br' });
    const held = site.store.statistics().memoryBytes;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(html.length);
    for (const coding of ['gzip', 'br'])
      expect(site.store.currentVariant('/', coding as 'br')?.body.length).toBeGreaterThan(0);
    expect(site.store.currentVariant('/', 'identity')).toBeUndefined();
    expect((await site.get('/')).text).toBe(html);
    expect(site.store.statistics().memoryBytes).toBe(held + html.length);
    expect(site.store.currentVariant('/', 'identity')?.body.length).toBe(html.length);
  });

  test('in memory: conditional requests load no page and evict none', async () => {
    const paths = Array.from({ length: 40 }, (_, i) => `/post/p${i}`);
    const validators = new Map<string, string>();
    for (const [i, path] of paths.entries()) {
      site.pages.set(path, page(i));
      validators.set(path, (await site.get(path, { 'accept-encoding': 'br' })).headers.etag as string);
    }
    await site.restart({ memoryBytes: 20_000, state: 's' }, 's');
    await site.restart({ memoryBytes: 20_000, state: 's' }, 's');
    await site.get('/post/p0', { 'accept-encoding': 'br' });
    const held = site.store.statistics().memoryBytes;
    for (const path of paths) {
      const headers = { 'accept-encoding': 'br', 'if-none-match': validators.get(path) as string };
      expect((await site.get(path, headers)).status).toBe(304);
    }
    expect(site.store.statistics().memoryBytes).toBe(held);
    expect(site.store.currentVariant('/post/p0', 'br')).toBeDefined();
  });

  test('in memory: the bodies unread for longest are read from disk again', async () => {
    await site.restart({ memoryBytes: 20_000 });
    for (let i = 0; i < 40; i++) {
      site.pages.set(`/post/p${i}`, page(i));
      await site.get(`/post/p${i}`);
    }
    expect(site.store.statistics().memoryBytes).toBeLessThanOrEqual(20_000);
    const renders = site.renders.length;
    for (let i = 0; i < 40; i++) expect((await site.get(`/post/p${i}`)).text).toContain(`<p>${i}</p>`);
    expect(site.renders.length).toBe(renders);
  });

  test('in time: an expired page is sent once more while it is rendered again', async () => {
    let now = 1_800_000_000_000;
    await site.restart({ now: () => now, maximumAge: 60 });
    await site.get('/post/one');
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    now += 59_000;
    expect((await site.get('/post/one')).headers['x-page']).toBe('hit; age=59');
    now += 1000;
    expect((await site.get('/post/one')).headers['x-page']).toBe('stale; age=60');
    await expect.poll(async () => (await site.get('/post/one')).text).toBe('new');
  });
});

describe('a CDN in front', () => {
  const edge = { maxAge: 3600 };
  const edgeControl = async (path: string) => (await site.get(path)).headers['cdn-cache-control'];

  test('is told not to keep a stale page, since its purge may be over', async () => {
    await site.restart({ edge });
    expect(await edgeControl('/post/one')).toMatch(/^public, max-age=3600/);
    expect(await edgeControl('/post/one')).toMatch(/^public, max-age=3600/);
    site.gate.before = () => {
      throw new Error('no backend');
    };
    site.store.invalidate({ tags: ['post:one'] });
    expect(await edgeControl('/post/one')).toBe('public, max-age=0, must-revalidate');
  });

  test.each([
    ['Surrogate-Control', 'surrogate-control', /^public, max-age=3600, stale-while-revalidate=60/],
    ['s-maxage', 'cache-control', /^public, max-age=0, must-revalidate, s-maxage=3600$/],
  ] as const)('is told by %s, but for a stale page', async (control, header, told) => {
    await site.restart({ edge: { ...edge, control } });
    expect((await site.get('/post/one')).headers[header]).toMatch(told);
    site.gate.before = () => {
      throw new Error('no backend');
    };
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).headers[header]).toBe('public, max-age=0, must-revalidate');
  });

  test('is told of a page that changed or vanished without an invalidation', async () => {
    const found: string[] = [];
    let now = 1_800_000_000_000;
    const later = async (path: string) => {
      now += 60_000;
      const renders = site.renders.length;
      await site.get(path);
      await expect.poll(() => site.renders.length).toBe(renders + 1);
      await expect.poll(() => site.store.explain(path)?.state ?? 'gone').not.toBe('expired');
    };
    await site.restart({ now: () => now, maximumAge: 60, onStalePageFound: (path) => found.push(path) });
    await site.get('/post/one');
    await later('/post/one');
    expect(found).toEqual([]);
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    await later('/post/one');
    await expect.poll(() => found).toEqual(['/post/one']);
    site.pages.set('/post/one', { html: 'newer', tags: ['post:one'] });
    await site.store.refresh('/post/one', site.store.invalidate({ paths: ['/post/one'] }), 'test');
    expect(found).toEqual(['/post/one']);
    site.pages.delete('/post/one');
    await later('/post/one');
    await expect.poll(() => found).toEqual(['/post/one', '/post/one']);
  });
});

describe('explain', () => {
  test('reports state, cause, size, hits and what would invalidate a page', async () => {
    await site.get('/post/one');
    await site.get('/post/one');
    expect(site.store.explain('/post/one')).toMatchObject({
      path: '/post/one',
      state: 'current',
      reason: 'a reader asked for it',
      tags: ['author:ann', 'post:one'],
      bytes: { identity: BODY.length },
      hits: 2,
      invalidatedBy: [
        'author:ann: a change of the author ann',
        'post:one: a change of the post one',
        'site: a rebuild of all pages',
      ],
    });
    expect(site.store.explain('/post/none')).toBeUndefined();
  });
});
