import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRevalidate } from '#publishing/revalidate.ts';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';

describe('pages of an earlier process that nobody has asked for yet', () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await startSite();
    for (let i = 0; i < 30; i++) {
      site.pages.set(`/post/p${i}`, { html: `post ${i}`, tags: [`post:p${i}`, `author:a${i % 3}`] });
    }
    site.pages.set('/', { html: 'newest', tags: ['posts', 'post:p29', 'post:p28'] });
    site.pages.set('/page/2', { html: 'older', tags: ['posts', 'post:p1', 'post:p0'] });
    site.pages.set('/page/3', { html: 'who knows', tags: ['posts'] });
    for (const path of site.pages.keys()) await site.get(path);
    await site.restart();
    site.renders.length = 0;
  });
  afterEach(() => site.close());

  const change = (path: string, html: string) => site.pages.set(path, { ...site.pages.get(path), html });

  test('count, and are found by tag and by address', () => {
    expect(site.store.statistics()).toMatchObject({ pages: 33, memoryBytes: 0 });
    expect(site.store.paths({ tags: ['author:a1', 'posts'] }).length).toBe(13);
    expect(site.store.paths({ tags: ['site'] }).length).toBe(33);
    expect(site.store.paths({ paths: ['/post/p1', '/post/none'] })).toEqual(['/post/p1']);
    expect([site.store.holds('/post/p7'), site.store.holds('/post/none')]).toEqual([true, false]);
  });

  test('are outdated by tag, and only they are rendered before they are shown', async () => {
    site.store.invalidate({ tags: ['author:a1'] });
    expect(site.store.outdated({ tags: ['site'] })).toBe(10);
    change('/post/p1', 'new');
    expect((await site.get('/post/p1')).text).toBe('new');
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    site.gate.before = () => over;
    expect((await site.get('/post/p2')).text).toBe('post 2');
    end();
  });

  test('are outdated all at once', async () => {
    site.store.invalidate({ tags: ['site'] });
    change('/post/p2', 'new');
    expect((await site.get('/post/p2')).text).toBe('new');
  });

  test('are shown while the writer’s render runs, if it renders them itself', async () => {
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

  test('take part in a rebuild', async () => {
    const revalidate = createRevalidate({ store: site.store, log: () => undefined });
    for (const path of site.pages.keys()) change(path, `rebuilt ${path}`);
    const report = await revalidate({ all: true, complete: true, from: 'operator' });
    expect(report.revalidated.length).toBe(33);
    expect((await site.get('/post/p9')).text).toBe('rebuilt /post/p9');
  });

  test('go first when the folder is full, before those that were read since', async () => {
    await site.restart({ now: () => Date.now() + 10_000 });
    await site.get('/post/p0');
    await site.restart({ maximumBytes: site.store.statistics().bytes / 2 });
    expect(site.store.statistics().pages).toBeLessThan(20);
    expect([site.store.holds('/post/p0'), site.store.holds('/post/p1')]).toEqual([true, false]);
  });

  test('go bit by bit when the folder may hold much less than it did', async () => {
    const paths = Array.from({ length: 120 }, (_, i) => `/post/more-${i}`);
    for (const path of paths) site.pages.set(path, { html: 'x'.repeat(500), tags: [path] });
    await Promise.all(paths.map((path) => site.get(path)));
    const { pages } = site.store.statistics();
    await site.restart({ maximumBytes: 3000 });
    expect(site.store.statistics().pages).toBeGreaterThan(pages - 60);
    await expect.poll(() => site.store.statistics().bytes, { timeout: 10_000 }).toBeLessThanOrEqual(3000);
    const files = () => readdirSync(join(site.directory, 'public', 'post')).filter((name) => name.startsWith('more-'));
    await expect.poll(() => files().length, { timeout: 10_000 }).toBeLessThan(6);
  });

  test('are explained as what they are', () => {
    expect(site.store.explain('/post/p1')).toMatchObject({
      state: 'unconfirmed since the restart',
      reason: 'a reader asked for it',
      tags: ['author:a1', 'post:p1'],
      hits: 0,
    });
  });

  test('survive restart after restart, with what was outdated', async () => {
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

  test('are replaced like any other', async () => {
    change('/post/p4', 'four');
    await site.store.refresh('/post/p4', site.store.invalidate({ paths: ['/post/p4'] }, ['/post/p4']), 'test');
    expect(site.store.statistics().pages).toBe(33);
    await site.restart();
    expect((await site.get('/post/p4')).text).toBe('four');
    expect(site.store.paths({ tags: ['post:p4'] })).toEqual(['/post/p4']);
  });
});

describe('after a restart with nothing written in between', () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await startSite();
    for (const name of ['a', 'b', 'c']) site.pages.set(`/post/${name}`, { html: name, tags: [`post:${name}`] });
    for (const path of site.pages.keys()) await site.get(path);
  });
  afterEach(() => site.close());

  /** Restarts, reads every page and says which were rendered. */
  async function rendered(state: string | undefined, left: string | undefined): Promise<string[]> {
    await site.restart({ state }, left);
    site.renders.length = 0;
    for (const path of site.pages.keys()) {
      const { headers } = await site.get(path);
      expect(String(headers['x-page']).split(';')[0]).toBe('hit');
    }
    for (const path of site.pages.keys()) await site.store.rendered([path]);
    return site.renders.toSorted();
  }
  const all = ['/post/a', '/post/b', '/post/c'];

  test('stored pages are current: none is rendered again, restart after restart', async () => {
    expect(await rendered('1', '1')).toEqual([]);
    expect(site.store.explain('/post/a')?.state).toBe('current');
    // Unread pages as well.
    await site.restart({ state: '2' }, '2');
    expect(await rendered('3', '3')).toEqual([]);
  });

  test.each([
    ['another state', '2', '1'],
    ['an end that knew of changes it had missed', '1', undefined],
    ['a backend that cannot say', undefined, '1'],
  ])('%s: each is rendered once', async (_, state, left) => {
    expect(await rendered(state, left)).toEqual(all);
    expect(await rendered('3', '3')).toEqual([]);
  });

  test('a crash in between leaves in doubt what was not confirmed since', async () => {
    await site.restart({ state: '1' }, '1');
    // As the process that runs now would leave it, were it killed.
    const left = ['index.sqlite', 'index.sqlite-wal'].map((name) => join(site.directory, name));
    const bytes = left.map((file) => readFileSync(file));
    site.store.close('1');
    for (const [i, file] of left.entries()) writeFileSync(file, bytes[i] as Buffer);
    await site.restart({ state: '1' });
    await site.get('/post/a');
    await site.store.rendered(['/post/a']);
    expect(await rendered('4', '4')).toEqual(['/post/b', '/post/c']);
  });

  test('what was outdated still is, and so is what another build rendered', async () => {
    site.store.invalidate({ tags: ['post:b'] });
    await site.restart({ state: '1' }, '1');
    expect(['a', 'b'].map((name) => site.store.explain(`/post/${name}`)?.state)).toEqual(['current', 'outdated']);
    site.store.invalidate({ tags: ['post:c'] });
    expect(site.store.explain('/post/c')?.state).toBe('outdated');
    await site.restart({ state: '2', build: 'new' }, '2');
    expect(site.store.outdated({ tags: ['site'] })).toBe(3);
  });

  test('a process that ended while it took over the index leaves no page of another build for a current one', async () => {
    await site.restart({ state: '1' }, '1');
    site.store.close();
    const index = new DatabaseSync(join(site.directory, 'index.sqlite'));
    index.exec('DELETE FROM settings');
    index.close();
    await site.restart({ build: 'new' });
    expect(site.store.outdated({ tags: ['site'] })).toBe(3);
  });

  test('a page whose time is up is rendered again', async () => {
    await site.restart({ state: '1', maximumAge: 60, now: () => Date.now() + 61_000 }, '1');
    expect(site.store.explain('/post/a')?.state).toBe('expired');
  });
});
