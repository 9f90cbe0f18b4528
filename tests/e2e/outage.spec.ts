import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Databases } from 'node-appwrite';
import { loadAxe, violationsOn } from './axe.ts';
import { htmlFaults } from './html-faults.ts';
import { startReaders } from './load.ts';
import { expect, ownSite, removeSite, test } from './site.ts';

const REBUILD_TOKEN = 'a-token-of-this-test-alone';
const LONG = `<p>${'words '.repeat(5000)}</p>`;
const SECONDS = Number(process.env.OUTAGE_SECONDS || 4);

test('the backend stopped under load: no read of a stored page fails, and recovery needs nobody', async () => {
  const site = await ownSite({ access: 'gateway', environment: { PAGES_MAX_AGE: '1' } });
  try {
    const writer = await site.writer();
    const posts = [await site.post(writer), await site.post(writer)];
    const paths = ['/', '/feed.xml', '/sitemap.xml', `/author/${writer.id}`, ...posts.map(({ id }) => `/post/${id}`)];
    for (const path of paths) expect((await fetch(site.url + path)).status).toBe(200);
    await site.remote?.stop();
    const faults: string[] = [];
    const states = new Set<string>();
    const readers = startReaders(site.url, paths, ({ path, status, text, page }) => {
      states.add(page?.split(';')[0] ?? '');
      if (status !== 200 || text.length < 100) faults.push(`${path} ${status}`);
    });
    await sleep(SECONDS * 1000);
    const missing = await fetch(`${site.url}/archive`);
    expect([missing.status, Number(missing.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(await missing.text()).toContain('Retry');
    const unread = await fetch(`${site.url}/post/nobody-has-read-it`);
    expect(unread.status).toBe(503);
    const said = await unread.text();
    for (const words of ['Error: Failed to fetch post<', 'Retry', 'Go back to home']) expect(said).toContain(words);
    await site.remote?.start();
    await expect.poll(async () => (await fetch(`${site.url}/archive`)).status).toBe(200);
    await expect.poll(async () => (await fetch(site.url)).headers.get('x-page')?.split(';')[0]).toBe('hit');
    await readers.end();
    expect(faults).toEqual([]);
    expect(states).toContain('stale');
  } finally {
    await removeSite(site);
  }
});

test('killed and started again without a backend: the first answers come from the store', async ({ browser, page }) => {
  const site = await ownSite({ access: 'gateway' });
  try {
    await site.remote?.stop();
    expect((await page.goto(site.url))?.status()).toBe(503);
    await expect(page.getByRole('alert')).toHaveText('Error: Failed to fetch posts');
    expect(await htmlFaults(await (await fetch(site.url)).text())).toEqual([]);
    await loadAxe(page);
    expect(await violationsOn(page)).toEqual([]);
    const scriptless = await browser.newPage({ javaScriptEnabled: false });
    await scriptless.goto(site.url);
    await site.remote?.start();
    for (const reader of [page, scriptless]) {
      await reader.getByRole('button', { name: 'Retry' }).click();
      await expect(reader.getByRole('heading', { name: 'Welcome to Your Blog' })).toBeVisible();
    }
    await scriptless.close();
    await loadAxe(page);
    expect(await violationsOn(page)).toEqual([]);
    const post = await site.post(await site.writer(), { title: 'Kept over a kill' });
    for (const path of ['/', `/post/${post.id}`]) expect((await fetch(site.url + path)).status).toBe(200);
    await site.remote?.stop();
    await site.stop('SIGKILL');
    const started = site.start();
    const first = await firstAnswer(`${site.url}/post/${post.id}`);
    expect([first.status, first.headers.get('x-page')?.split(';')[0]]).toEqual([200, 'hit']);
    expect(await first.text()).toContain('Kept over a kill');
    await started;
    expect((await fetch(site.url)).status).toBe(200);
  } finally {
    await removeSite(site);
  }
});

test('killed while it writes: after the start every page is one whole version, in each coding @embedded', async () => {
  const site = await ownSite();
  try {
    const writer = await site.writer();
    const databases = new Databases(site.admin());
    const place = { databaseId: 'blog', collectionId: 'articles' };
    const posts = await Promise.all(Array.from({ length: 4 }, () => site.post(writer)));
    let version = 0;
    for (let round = 0; round < 3; round++) {
      let killed = false;
      const write = async (documentId: string) => {
        while (!killed) {
          const mark = `${marker(documentId)}${++version}v`;
          const data = { title: `Title ${mark}`, content: `<p>${`${mark} `.repeat(3000)}</p>` };
          await databases.updateDocument({ ...place, documentId, data }).catch(() => undefined);
        }
      };
      const writing = posts.map(({ id }) => write(id));
      const before = version;
      await expect.poll(() => version, { intervals: [5] }).toBeGreaterThan(before + 25 + 9 * round);
      await site.stop('SIGKILL');
      killed = true;
      await Promise.all(writing);
      const started = site.start();
      await firstAnswer(`${site.url}/post/${posts[0]?.id}`);
      for (const { id } of posts) {
        for (const coding of ['identity', 'gzip', 'br']) {
          const response = await fetch(`${site.url}/post/${id}`, { headers: { 'accept-encoding': coding } });
          const text = await response.text();
          expect([response.status, text.trimEnd().endsWith('</html>')]).toEqual([200, true]);
          // Adjacent posts' titles are in the page as well.
          const marks = new Set(text.match(new RegExp(`${marker(id)}\\d+v`, 'g')));
          expect(marks.size, `${id} ${coding}: ${[...marks]}`).toBe(1);
        }
      }
      await started;
      // Every answer agrees with the backend once it is back.
      for (const { id } of posts) {
        const { title } = await databases.getDocument({ ...place, documentId: id });
        await expect.poll(async () => (await fetch(`${site.url}/post/${id}`)).text()).toContain(`<title>${title}`);
      }
    }
    expect(readdirSync(join(site.dataDirectory, 'pages', 'public', 'post')).length).toBe(4);
  } finally {
    await removeSite(site);
  }
});

/** The text before the version number in a post's words. */
const marker = (id: string): string => `v${id.slice(-8)}x`;

async function firstAnswer(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return response;
    await sleep(5);
  }
}

test('stopped while pages are rendered, it ends soon and without a word', async () => {
  const site = await ownSite({ environment: { REBUILD_TOKEN } });
  try {
    const writer = await site.writer();
    const posts = await Promise.all(Array.from({ length: 12 }, () => site.post(writer, { content: LONG })));
    await Promise.all(posts.map(({ id }) => fetch(`${site.url}/post/${id}`)));
    // The server is told to end while it renders all pages again.
    const headers = { authorization: `Bearer ${REBUILD_TOKEN}`, 'content-type': 'application/json' };
    const rebuild = fetch(`${site.url}/api/rebuild`, { method: 'POST', headers, body: '{"all":true}' });
    rebuild.catch(() => undefined);
    const cold = posts.map(({ id }) => fetch(`${site.url}/post/${id}/share.png`).then(({ status }) => status));
    await Promise.any(cold);
    await site.stop();
    const [, after = 'not ready'] = site.said.split(/^Common Ink is ready.*\n/m);
    expect(after.replace(/^.* info Every page is loaded.*\n/m, '')).toBe('');
    for (const status of await Promise.all(cold)) expect(status).toBeLessThan(500);
  } finally {
    await removeSite(site);
  }
});
