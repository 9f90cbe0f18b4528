import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRevalidate } from '#publishing/revalidate.ts';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';

describe('pages of an earlier process, not requested yet', () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await startSite();
    for (let i = 0; i < 30; i++)
      site.pages.set(`/post/p${i}`, { html: `post ${i}`, tags: [`post:p${i}`, `author:a${i % 3}`] });
    site.pages.set('/', { html: 'newest', tags: ['posts', 'post:p29', 'post:p28'] });
    site.pages.set('/page/2', { html: 'older', tags: ['posts', 'post:p1', 'post:p0'] });
    site.pages.set('/page/3', { html: 'who knows', tags: ['posts'] });
    for (const path of site.pages.keys()) await site.get(path);
    await site.restart();
    site.renders.length = 0;
  });
  afterEach(() => site.close());

  const change = (path: string, html: string) => site.pages.set(path, { ...site.pages.get(path), html });

  test('are counted, found by tag and by path, and explained as unconfirmed', () => {
    expect(site.store.statistics()).toMatchObject({ pages: 33, memoryBytes: 0 });
    const state = 'unconfirmed since the restart';
    expect(site.store.explain('/post/p1')).toMatchObject({ state, tags: ['author:a1', 'post:p1'], hits: 0 });
    expect(site.store.paths({ tags: ['author:a1', 'posts'] }).length).toBe(13);
    expect(site.store.paths({ tags: ['site'] }).length).toBe(33);
    expect(site.store.paths({ paths: ['/post/p1', '/post/none'] })).toEqual(['/post/p1']);
    expect([site.store.holds('/post/p7'), site.store.holds('/post/none')]).toEqual([true, false]);
  });

  test('are outdated by tag or all at once, and rendered before they are shown', async () => {
    site.store.invalidate({ tags: ['author:a1'] });
    expect(site.store.outdated({ tags: ['site'] })).toBe(10);
    change('/post/p1', 'new');
    expect((await site.get('/post/p1')).text).toBe('new');
    expect((await site.get('/post/p2')).text).toBe('post 2');
    site.store.invalidate({ tags: ['site'] });
    change('/post/p3', 'new');
    expect((await site.get('/post/p3')).text).toBe('new');
  });

  test('are shown while the writer’s own render runs', async () => {
    site.store.invalidate({ tags: ['post:p1'] }, ['/post/p1']);
    change('/post/p1', 'new');
    const { text, headers } = await site.get('/post/p1');
    expect([text, String(headers['x-page']).split(';')[0]]).toEqual(['post 1', 'stale']);
  });

  test('are removed with the lists that name them', async () => {
    const revalidate = createRevalidate({ store: site.store, log: () => undefined });
    site.pages.delete('/post/p1');
    const report = await revalidate({ slugs: ['p1'], from: 'webhook' });
    expect(report.removed.toSorted()).toEqual(['/page/2', '/page/3', '/post/p1']);
    expect(existsSync(join(site.directory, 'public/page/2'))).toBe(false);
    await site.restart();
    expect(site.store.paths({ tags: ['posts'] })).toEqual(['/']);
  });

  test('are dropped fifty at a time when the bound is much lower than before', async () => {
    const paths = Array.from({ length: 80 }, (_, i) => `/post/more-${i}`);
    for (const path of paths) site.pages.set(path, { html: 'x'.repeat(500), tags: [path] });
    for (const path of paths) await site.get(path);
    await site.restart({ maximumBytes: 3000 });
    expect(site.store.statistics().pages).toBe(113 - 50);
    for (const path of ['/post/p0', '/post/p1']) await site.get(path);
    expect(site.store.statistics().bytes).toBeLessThanOrEqual(3000);
    expect(readdirSync(join(site.directory, 'public', 'post')).length).toBe(site.store.statistics().pages);
  });

  test('survive several restarts, outdated or not', async () => {
    site.store.invalidate({ tags: ['author:a2'] });
    for (let i = 0; i < 1000; i++) site.store.invalidate({ tags: [`post:none${i % 7}`] });
    for (let round = 0; round < 2; round++) {
      expect(site.store.statistics().pages).toBe(33);
      expect(site.store.outdated({ tags: ['site'] })).toBe(10);
      expect((await site.get(`/post/p${round}`)).text).toBe(`post ${round}`);
      await site.restart();
    }
    change('/post/p2', 'new');
    expect((await site.get('/post/p2')).text).toBe('new');
  });
});

describe('a restart with nothing written in between', () => {
  let site: TestSite;
  const etags = new Map<string, unknown>();
  beforeEach(async () => {
    site = await startSite();
    for (const name of ['a', 'b', 'c']) site.pages.set(`/post/${name}`, { html: name, tags: [`post:${name}`] });
    for (const path of site.pages.keys()) etags.set(path, (await site.get(path)).headers.etag);
  });
  afterEach(() => site.close());

  /** Closes the store with state `left`, reopens it with `state`, and reads every page. Returns the rendered paths. */
  async function rendered(state: string | undefined, left: string | undefined): Promise<string[]> {
    await site.restart({ state }, left);
    site.renders.length = 0;
    for (const path of site.pages.keys()) {
      const { headers } = await site.get(path);
      expect([`${headers['x-page']}`.split(';')[0], headers.etag]).toEqual(['hit', etags.get(path)]);
    }
    for (const path of site.pages.keys()) await site.store.rendered([path]);
    return site.renders.toSorted();
  }
  const all = ['/post/a', '/post/b', '/post/c'];

  test('renders no page again', async () => {
    expect(await rendered('1', '1')).toEqual([]);
    expect(site.store.explain('/post/a')?.state).toBe('current');
    // The pages stay current even if they are not read between two restarts.
    await site.restart({ state: '2' }, '2');
    expect(await rendered('3', '3')).toEqual([]);
  });

  test.each([
    ['another state', '2', '1'],
    ['a stop that knew of missed changes', '1', undefined],
    ['a stop with a backend that has no state', undefined, '1'],
  ])('renders each page once after %s', async (_, state, left) => {
    expect(await rendered(state, left)).toEqual(all);
    expect(await rendered('3', '3')).toEqual([]);
  });

  test('renders pages again that a crashed process did not confirm', async () => {
    await site.restart({ state: '1' }, '1');
    // Copies the index as a killed process would leave it.
    const left = ['index.sqlite', 'index.sqlite-wal'].map((name) => join(site.directory, name));
    const bytes = left.map((file) => readFileSync(file));
    site.store.close('1');
    for (const [i, file] of left.entries()) writeFileSync(file, bytes[i] as Buffer);
    await site.restart({ state: '1' });
    await site.get('/post/a');
    await site.store.rendered(['/post/a']);
    expect(await rendered('4', '4')).toEqual(['/post/b', '/post/c']);
  });

  test('keeps pages outdated, and outdates those of another build, even if the index lost its settings', async () => {
    site.store.invalidate({ tags: ['post:b'] });
    await site.restart({ state: '1' }, '1');
    expect(['a', 'b'].map((name) => site.store.explain(`/post/${name}`)?.state)).toEqual(['current', 'outdated']);
    site.store.invalidate({ tags: ['post:c'] });
    expect(site.store.explain('/post/c')?.state).toBe('outdated');
    await site.restart({ state: '2', build: 'new' }, '2');
    expect(site.store.outdated({ tags: ['site'] })).toBe(3);
    site.store.close();
    const index = new DatabaseSync(join(site.directory, 'index.sqlite'));
    index.exec('DELETE FROM settings');
    index.close();
    await site.restart({ build: 'newer' });
    expect(site.store.outdated({ tags: ['site'] })).toBe(3);
  });
});
