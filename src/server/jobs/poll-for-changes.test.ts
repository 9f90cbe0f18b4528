import { afterEach, expect, it, vi } from 'vitest';
import { createPostChanges } from '#backend/server/query-changed-posts.ts';
import { postPermissions } from '#blog/permissions.ts';
import type { Revalidation } from '#publishing/revalidate.ts';
import { createPosts } from '../../../tests/support/bulk-posts.ts';
import { ARTICLES, contentOf } from '../../../tests/support/content.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { type Polling, type PollingOptions, pollForChanges } from './poll-for-changes.ts';

const site = await sharedSite();
const { databases, post } = contentOf(site);
let polling: Polling | undefined;
afterEach(() => polling?.stop());

const write = (documentId: string) => post(documentId, { status: 'active' });
const change = (documentId: string, data: object, permissions?: string[]) =>
  databases.updateDocument({ ...ARTICLES, documentId, data, ...(permissions && { permissions }) });

async function begin(options: Partial<PollingOptions> = {}, key: string | undefined = site.target.apiKey) {
  const told: Pick<Revalidation, 'slugs' | 'gone'>[] = [];
  const changes = options.changes ?? createPostChanges({ ...site.target, apiKey: key });
  const since = vi.spyOn(changes, 'since');
  polling = pollForChanges({
    revalidate: async ({ slugs = [], gone = [] }) => {
      told.push({ slugs: [...slugs].sort(), gone });
      return { revalidated: [], removed: [], failed: [], outdated: 0, milliseconds: 0 };
    },
    shownPosts: () => [],
    log: () => {},
    pollMs: 20,
    ...options,
    changes,
  });
  const asked = () => since.mock.settledResults.filter(({ type }) => type === 'fulfilled').length;
  if (!options.trustWebhooksMs) await expect.poll(asked).toBeGreaterThan(0);
  return { told, asked };
}

/** Resolves after one more complete poll. */
async function askedAgain(asked: () => number) {
  const before = asked();
  await expect.poll(asked).toBeGreaterThan(before + 1);
}

it('a site that no webhook reaches reports what is written, unpublished and changed, each once', async () => {
  await write('before');
  const { told, asked } = await begin();
  await askedAgain(asked);
  expect(told).toEqual([]);
  await write('new');
  await expect.poll(() => told).toEqual([{ slugs: ['new'], gone: [] }]);
  await change('before', { status: 'inactive' });
  await expect.poll(() => told.slice(1)).toEqual([{ slugs: ['before'], gone: ['before'] }]);
  await askedAgain(asked);
  expect(told).toHaveLength(2);
});

it('a site that no webhook reaches reports many at once', async () => {
  const { told } = await begin();
  await createPosts(databases.client, 'ann', 230, () => ({ title: 'One of many', content: '' }));
  await expect.poll(() => new Set(told.flatMap(({ slugs }) => slugs)).size).toBe(230);
});

it('a site that no webhook reaches asks as a guest when the key may not read posts, and reports what is public', async () => {
  const { told } = await begin({}, `standard_${'0123456789abcdef'.repeat(4)}`);
  await write('seen-by-guests');
  await expect.poll(() => told).toEqual([{ slugs: ['seen-by-guests'], gone: [] }]);
});

it('a site that no webhook reaches finds deleted posts by a slower look', async () => {
  await write('stays');
  await write('goes');
  const { told } = await begin({ shownPosts: () => ['stays', 'goes'], lookMs: 1 });
  expect(told).toEqual([]);
  await databases.deleteDocument({ ...ARTICLES, documentId: 'goes' });
  await expect.poll(() => told[0]).toEqual({ slugs: ['goes'], gone: [] });
});

it('a site that no webhook reaches finds at its start what was unpublished or deleted before, once', async () => {
  for (const slug of ['public', 'taken-back', 'deleted']) await write(slug);
  await change('taken-back', { status: 'inactive' }, postPermissions('inactive', 'ann'));
  await databases.deleteDocument({ ...ARTICLES, documentId: 'deleted' });
  const { told, asked } = await begin({ shownPosts: () => ['public', 'taken-back', 'deleted'] });
  await expect.poll(() => told).toEqual([{ slugs: ['deleted', 'taken-back'], gone: [] }]);
  await askedAgain(asked);
  expect(told).toHaveLength(1);
});

it('a site that no webhook reaches asks nothing for a while after a webhook', async () => {
  const changes = createPostChanges(site.target);
  const looks = vi.spyOn(changes, 'publicIds');
  const { asked } = await begin({ changes, shownPosts: () => ['before'], lookMs: 1, trustWebhooksMs: 3_600_000 });
  polling?.heard();
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(2);
  expect(asked()).toBe(0);
});

it('a site that no webhook reaches goes on when the backend does not answer, and logs that once', async () => {
  const log = vi.fn();
  let fails = 0;
  const real = createPostChanges(site.target);
  const since: typeof real.since = (since) =>
    since !== undefined && fails-- > 0 ? Promise.reject(new Error('away')) : real.since(since);
  const { told } = await begin({ log, changes: { ...real, since } });
  fails = 3;
  await expect.poll(() => fails).toBeLessThan(0);
  await write('after-the-outage');
  await expect.poll(() => told).toEqual([{ slugs: ['after-the-outage'], gone: [] }]);
  expect(log).toHaveBeenCalledTimes(1);
});
