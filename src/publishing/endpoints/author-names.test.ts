import { expect, test, vi } from 'vitest';
import { authorNamesEndpoint } from './author-names.ts';
import { createEndpointLimits } from './guards/limits.ts';

const named = vi.fn(
  async (_slugs: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    new Map([
      ['ann', 'Ann'],
      ['bob', ''],
    ]),
);
const limits = createEndpointLimits();
const call = (query: string, authorNames = named) =>
  authorNamesEndpoint(new Request(`https://blog.example/api/authors${query}`), '192.0.2.1', limits, authorNames);

test('gives the names that are known, by user id, and keeps them in no cache', async () => {
  const response = await call('?posts=a,b');
  expect([response.status, await response.json()]).toEqual([200, { ann: 'Ann' }]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(named).toHaveBeenLastCalledWith(['a', 'b']);
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
  const others = createEndpointLimits();
  const statuses: number[] = [];
  for (let i = 0; i < 121; i++) {
    const request = new Request('https://blog.example/api/authors?posts=a');
    statuses.push((await authorNamesEndpoint(request, '192.0.2.2', others, named)).status);
  }
  expect(statuses.slice(119)).toEqual([200, 429]);
});
