/** All that the store promises through its one door; a file a promise would hide which of them are missing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gateway, startSite, type TestSite } from '../../tests/support/store/site.ts';

const BODY = `<!doctype html><title>One</title>${'<p>The same words again. </p>'.repeat(100)}`;

let site: TestSite;
beforeEach(async () => {
  site = await startSite();
  site.pages.set('/post/one', { html: BODY, tags: ['post:one', 'author:ann'], headers: { 'x-own': 'yes' } });
  site.pages.set('/', { html: '<h1>Home</h1>', tags: ['posts'] });
});
afterEach(() => site.close());

describe('a stored page', () => {
  test('is rendered once and then sent as it lies', async () => {
    const first = await site.get('/post/one');
    const second = await site.get('/post/one');
    expect(first.headers['x-page']).toBe('rendered; age=0');
    expect(second.headers['x-page']).toMatch(/^hit; age=\d+$/);
    expect(second.text).toBe(BODY);
    expect(second.headers['server-timing']).toBe('page;desc="hit"');
    expect(site.renders).toEqual(['/post/one']);
  });

  test('comes in the coding that the browser likes best, each with its own strong validator', async () => {
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
  });

  test('tells browsers to ask each time, and CDNs its tags', async () => {
    const { headers } = await site.get('/post/one');
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(headers['cdn-cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(headers['cache-tag']).toBe('site,author:ann,post:one');
    expect(headers['surrogate-key']).toBe('site author:ann post:one');
  });

  test('keeps its own headers and none of the store’s', async () => {
    await site.get('/post/one');
    const { headers } = await site.get('/post/one');
    expect(headers['x-own']).toBe('yes');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers).not.toHaveProperty('x-page-ttl');
    expect(headers).not.toHaveProperty('x-page-tags');
  });

  test('is a 304 for whoever holds it, by a weak validator too, and a 200 for another coding', async () => {
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

  test('lies in a folder that any web server can serve', async () => {
    await site.get('/post/one');
    await site.get('/');
    const folder = join(site.directory, 'public');
    expect(readFileSync(join(folder, 'post/one/index.html'), 'utf8')).toBe(BODY);
    expect(gunzipSync(readFileSync(join(folder, 'post/one/index.html.gz'))).toString()).toBe(BODY);
    expect(brotliDecompressSync(readFileSync(join(folder, 'post/one/index.html.br'))).toString()).toBe(BODY);
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'index.html.br', 'index.html.gz', 'post']);
  });

  test('has another validator when only its policy changed', async () => {
    const before = await site.get('/post/one');
    site.pages.set('/post/one', { html: BODY, tags: ['post:one'], headers: { 'content-security-policy': 'x' } });
    site.store.invalidate({ tags: ['post:one'] });
    const after = await site.get('/post/one', { 'if-none-match': before.headers.etag as string });
    expect(after.status).toBe(200);
    expect(after.text).toBe(BODY);
    expect(after.headers['content-security-policy']).toBe('x');
  });
});

describe('what is not stored', () => {
  test('a 404, a redirect, a page that did not ask', async () => {
    site.pages.set('/post/moved', { status: 302, headers: { location: '/' } });
    site.pages.set('/post/shy', { html: 'shy', maxAge: 0 });
    for (const [path, status] of [
      ['/post/none', 404],
      ['/post/moved', 302],
      ['/post/shy', 200],
    ] as const) {
      for (let i = 0; i < 2; i++) {
        const answer = await site.get(path);
        expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
      }
      expect(site.store.holds(path)).toBe(false);
    }
    expect(site.renders.length).toBe(6);
  });

  test('goes out in the coding that the browser likes, of the same bytes', async () => {
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

  test('a page that sets a cookie, and the cookie reaches nobody', async () => {
    site.pages.set('/post/one', { html: 'a', headers: { 'set-cookie': 'who=alice' } });
    const answer = await site.get('/post/one');
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(site.store.holds('/post/one')).toBe(false);
    expect(site.logged).toContain('warn /post/one is not stored: it sets a cookie.');
  });

  test('a page that varies by its visitor', async () => {
    site.pages.set('/post/one', { html: 'a', headers: { vary: 'Accept-Encoding, Cookie' } });
    await site.get('/post/one');
    expect(site.store.holds('/post/one')).toBe(false);
  });

  test('ten thousand query strings', async () => {
    await site.get('/');
    for (let i = 0; i < 10_000; i += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, j) => site.get(`/?q=${i + j}&utm_source=x`)));
      expect(answers.every(({ text }) => text === '<h1>Home</h1>')).toBe(true);
    }
    expect(site.store.statistics().pages).toBe(1);
    expect(site.renders).toEqual(['/']);
  });
});

describe('a change', () => {
  test('by tag renders the pages that carry it again, and no others', async () => {
    await site.get('/post/one');
    await site.get('/');
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).text).toBe('new');
    expect((await site.get('/')).headers['x-page']).toMatch(/^hit/);
    expect(site.renders).toEqual(['/post/one', '/', '/post/one']);
  });

  test('by the tag `site` renders every page again', async () => {
    await site.get('/post/one');
    await site.get('/');
    site.store.invalidate({ tags: ['site'] });
    await site.get('/post/one');
    await site.get('/');
    expect(site.renders.length).toBe(4);
  });

  test('of nothing keeps the bytes, the validator and the files', async () => {
    const before = await site.get('/post/one');
    site.store.invalidate({ tags: ['post:one'] });
    const after = await site.get('/post/one', { 'if-none-match': before.headers.etag as string });
    expect(after.status).toBe(304);
    expect(site.renders.length).toBe(2);
  });

  test('shows the old bytes while the writer’s render runs, and the new ones from then on', async () => {
    // No second passes between the two.
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

  test('during a render makes its result outdated: whoever asks afterwards gets a later one', async () => {
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

  test('is known to the page’s tags of the new render, not only of the old one', async () => {
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

describe('a disk without room', () => {
  test('costs the stored page, not the reader, and a page is stored again when there is some', async () => {
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
  test('takes the page from readers and from the folder before it ends', async () => {
    await site.get('/post/one');
    site.pages.delete('/post/one');
    const removed = await site.store.remove({ tags: ['post:one'] });
    expect(removed).toEqual(['/post/one']);
    expect(existsSync(join(site.directory, 'public/post/one'))).toBe(false);
    expect((await site.get('/post/one')).status).toBe(404);
  });

  test('takes the lists that name the post, and those that do not say what they name', async () => {
    site.pages.set('/', { html: 'one, two', tags: ['posts', 'post:one', 'post:two'] });
    site.pages.set('/page/2', { html: 'three', tags: ['posts', 'post:three'] });
    site.pages.set('/page/3', { html: 'who knows', tags: ['posts'] });
    for (const path of ['/', '/page/2', '/page/3']) await site.get(path);
    const removed = await site.store.remove({ tags: ['post:one'] });
    expect(removed.sort()).toEqual(['/', '/page/3']);
  });

  test('voids a render that began before it: nobody is sent what it gives', async () => {
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

  test('spares what was rendered since the change', async () => {
    await site.get('/');
    const change = site.store.invalidate({ tags: ['posts'] }, ['/']);
    await site.store.refresh('/', change, 'test');
    expect(await site.store.remove({ tags: ['post:one'] }, change)).toEqual([]);
  });
});

describe('when the backend fails', () => {
  test('stored pages go on: outdated ones are sent as they are, and say so', async () => {
    await site.restart({ now: () => 1_800_000_000_000 });
    await site.get('/post/one');
    site.pages.set('/post/one', { status: 503, html: 'down' });
    site.store.invalidate({ tags: ['post:one'] });
    const answers = [await site.get('/post/one'), await site.get('/post/one')];
    for (const { status, text, headers } of answers) {
      expect([status, text, headers['x-page']]).toEqual([200, BODY, 'stale; age=0']);
    }
  });

  test('a page that is not stored gets the site’s own error', async () => {
    site.pages.set('/post/one', { status: 503, html: 'Error: no backend' });
    const answer = await site.get('/post/one');
    expect([answer.status, answer.text, answer.headers['retry-after']]).toEqual([503, 'Error: no backend', '5']);
  });

  test('a renderer that throws gets a 503 as well', async () => {
    site.gate.before = () => {
      throw new Error('no');
    };
    const answer = await site.get('/post/one');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.text).toContain('Retry');
  });

  test('it recovers by itself', async () => {
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

  test('an outdated page does not wait for a render that hangs', async () => {
    await site.restart({ renderTimeout: 3_600_000, idleTimeout: 50 });
    await site.get('/post/one');
    const door = gateway();
    site.gate.before = () => door.opened;
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).headers['x-page']).toMatch(/^stale/);
    door.open();
  });

  test('a render that hangs is given up', async () => {
    await site.restart({ renderTimeout: 50 });
    const door = gateway();
    site.gate.before = () => door.opened;
    expect((await site.get('/post/none')).status).toBe(503);
    door.open();
  });
});

describe('after a restart', () => {
  test('the first page comes from the store, and is confirmed behind the reader’s back', async () => {
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

  test('what was outdated still is', async () => {
    await site.get('/post/one');
    site.store.invalidate({ tags: ['post:one'] });
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    await site.restart();
    expect((await site.get('/post/one')).text).toBe('new');
  });

  test('what was removed still is', async () => {
    await site.get('/post/one');
    await site.store.remove({ paths: ['/post/one'] });
    await site.restart();
    expect(site.store.holds('/post/one')).toBe(false);
  });

  test('of another build, pages are rendered again before they are shown, if they can be', async () => {
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

  test('an index that is damaged, or of another form, is begun anew', async () => {
    await site.get('/post/one');
    await site.get('/');
    site.store.close();
    writeFileSync(join(site.directory, 'index.sqlite'), 'no database at all'.repeat(1000));
    await site.restart();
    expect(site.store.statistics().pages).toBe(0);
    expect((await site.get('/post/one')).headers['x-page']).toMatch(/^rendered/);
    site.store.close();
    const database = new DatabaseSync(join(site.directory, 'index.sqlite'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    await site.restart();
    expect((await site.get('/post/one')).headers['x-page']).toMatch(/^rendered/);
    await site.restart();
    expect(site.store.holds('/post/one')).toBe(true);
  });

  /**
   * Stores a second version of a page and brings the index to the moment in which that was announced and its files were
   * about to be replaced. Gives the bytes that its files had before.
   */
  async function killedBetweenFiles(): Promise<Map<string, Buffer>> {
    const index = join(site.directory, 'index.sqlite');
    await site.get('/post/one');
    site.store.close();
    const before = readFileSync(index);
    const old = new Map(FILES.map((name) => [name, readFileSync(join(site.directory, 'public/post/one', name))]));
    site.pages.set('/post/one', { html: 'two '.repeat(99), tags: ['post:one'] });
    await site.restart();
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).text).toBe('two '.repeat(99));
    site.store.close();
    const rowOf = (database: DatabaseSync) => database.prepare("SELECT * FROM pages WHERE path = '/post/one'").get();
    const after = new DatabaseSync(index);
    const { sums, identity_bytes, gzip_bytes, br_bytes, stored_at, max_age } = rowOf(after) ?? {};
    after.close();
    writeFileSync(index, before);
    const database = new DatabaseSync(index);
    const next = {
      path: '/post/one',
      tags: ['post:one'],
      headers: rowOf(database)?.header_set,
      sums,
      lengths: [identity_bytes, gzip_bytes, br_bytes],
      storedAt: stored_at,
      maxAge: max_age,
      reason: 'test',
    };
    database.prepare("UPDATE pages SET next = ? WHERE path = '/post/one'").run(JSON.stringify(next));
    database.close();
    return old;
  }
  const FILES = ['index.html', 'index.html.gz', 'index.html.br'] as const;
  const isDown = () => {
    throw new Error('no backend');
  };

  test('a crash between a page’s files leaves one version of it, whole', async () => {
    const old = await killedBetweenFiles();
    writeFileSync(join(site.directory, 'public/post/one/index.html.br'), old.get('index.html.br') ?? '');
    site.gate.before = isDown;
    await site.restart();
    const answer = await site.get('/post/one', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(answer.body).toString()).toBe('two '.repeat(99));
    await site.restart();
    expect((await site.get('/post/one', { 'accept-encoding': 'gzip' })).status).toBe(200);
  });

  test('a crash before a page’s files: what lies there is shown only where nothing else can be', async () => {
    for (const [name, bytes] of await killedBetweenFiles())
      writeFileSync(join(site.directory, 'public/post/one', name), bytes);
    site.gate.before = isDown;
    await site.restart();
    const alone = await site.get('/post/one');
    expect([alone.text, alone.headers['x-page']]).toEqual([BODY, expect.stringMatching(/^stale/)]);
    site.gate.before = undefined;
    await site.restart();
    expect((await site.get('/post/one')).text).toBe('two '.repeat(99));
  });

  test('whoever asks for another coding while it is rendered gets it', async () => {
    const readers = ['identity', 'br', 'gzip'].map((coding) => site.get('/post/one', { 'accept-encoding': coding }));
    const [identity, br, gzip] = await Promise.all(readers);
    expect(identity?.text).toBe(BODY);
    expect(brotliDecompressSync(br?.body ?? '').toString()).toBe(BODY);
    expect(gunzipSync(gzip?.body ?? '').toString()).toBe(BODY);
    expect(site.renders).toEqual(['/post/one']);
  });

  test('a page that was taken away leaves no file', async () => {
    await site.get('/post/one');
    await site.store.remove({ tags: ['post:one'] });
    expect(existsSync(join(site.directory, 'public/post/one'))).toBe(false);
    await site.restart();
    expect(site.store.holds('/post/one')).toBe(false);
  });
});

describe('bounds', () => {
  const page = (i: number) => ({ html: `<p>${i}</p>${'x'.repeat(3000)}`, tags: [`post:p${i}`] });

  test('bytes on disk: the pages longest without a reader go', async () => {
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

  test('bytes in memory: of a page the forms that browsers ask for, and the plain one once somebody has', async () => {
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

  test('bytes in memory: who asks whether pages are what they were takes none of them in, and no other out', async () => {
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

  test('bytes in memory: the bodies longest without a reader are read from disk again', async () => {
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

  test('a page older than its time is sent once more while it is rendered again', async () => {
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

  test('keeps no page that may be old: its purge may be over', async () => {
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
  ] as const)('is told in its own words (%s), and takes them back for an old page', async (control, header, told) => {
    await site.restart({ edge: { ...edge, control } });
    expect((await site.get('/post/one')).headers[header]).toMatch(told);
    site.gate.before = () => {
      throw new Error('no backend');
    };
    site.store.invalidate({ tags: ['post:one'] });
    expect((await site.get('/post/one')).headers[header]).toBe('public, max-age=0, must-revalidate');
  });

  test('is told of a page that was found changed or gone without a message', async () => {
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

describe('why is this page here', () => {
  test('it says when, by which event, how big, how often, and what would change it', async () => {
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
