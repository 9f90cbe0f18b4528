import { expect, test, vi } from 'vitest';
import { apiSite, callApi, SITE } from '../../../tests/support/api.ts';

const postsBySlug = vi.fn(async (_slugs: readonly string[]) => ['ann', 'bob', 'ann'].map((userId) => ({ userId })));
const authorName = async (id: string) => {
  if (id === 'bob') throw new Error('down');
  return 'Ann';
};
let publishing = apiSite();
const call = (query: string, posts = postsBySlug) =>
  callApi(new Request(`${SITE}/api/authors${query}`), publishing, { postsBySlug: posts as never, authorName });

test('gives the names that are known, by user id, and keeps them in no cache', async () => {
  const response = await call('?posts=a,b');
  expect([response.status, await response.json()]).toEqual([200, { ann: 'Ann' }]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(postsBySlug).toHaveBeenLastCalledWith(['a', 'b']);
});

test('takes a hundred posts, and no more', async () => {
  const posts = (count: number) => `?posts=${Array.from({ length: count }, (_, i) => `p${i}`).join()}`;
  expect((await call(posts(100))).status).toBe(200);
  expect((await call(posts(101))).status).toBe(400);
});

test('says that the backend did not answer', async () => {
  const response = await call('?posts=a', vi.fn().mockRejectedValue(new Error('down')));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
});

test('is asked by one address 120 times a minute, and no more often', async () => {
  publishing = apiSite();
  const statuses: number[] = [];
  for (let i = 0; i < 121; i++) statuses.push((await call('?posts=a')).status);
  expect(statuses.slice(119)).toEqual([200, 429]);
});
