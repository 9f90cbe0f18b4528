import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostSummary } from '#blog/post.ts';

const ask = vi.fn<(address: string) => Promise<Response>>();
vi.stubGlobal('fetch', ask);
let names: typeof import('./author-names.ts');
beforeEach(async () => {
  vi.resetModules();
  names = await import('./author-names.ts');
});
afterEach(() => vi.resetAllMocks());

const by = (userId: string, id: string) => ({ id, userId }) as PostSummary;
const slugsAsked = () => ask.mock.calls.map(([address]) => new URLSearchParams(address.split('?')[1]).get('posts'));

test('a list of many posts is one question, with one post of each author; nobody is asked about twice', async () => {
  ask.mockImplementation(async () => Response.json({ ann: 'Ann', bob: 'Bob' }));
  const list = [by('ann', 'a'), by('ann', 'b'), by('bob', 'c')];
  await names.fetchAuthorNames(list);
  await names.fetchAuthorNames(list);
  expect(slugsAsked()).toEqual(['a,c']);
  expect(names.$authorNames.get()).toEqual({ ann: 'Ann', bob: 'Bob' });
});

test('an author who was not named is asked about by another post, and each post once', async () => {
  ask.mockImplementation(async () => Response.json({}));
  for (let i = 0; i < 3; i++) await names.fetchAuthorNames([by('ann', 'a'), by('ann', 'b')]);
  expect(slugsAsked()).toEqual(['a', 'b']);
});

test('more than a hundred authors are asked about by the hundred', async () => {
  ask.mockImplementation(async () => Response.json({}));
  await names.fetchAuthorNames(Array.from({ length: 101 }, (_, i) => by(`u${i}`, `p${i}`)));
  expect(slugsAsked().map((slugs) => slugs?.split(',').length)).toEqual([100, 1]);
});

test('a failure names nobody, throws nothing, and the next list asks again', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  ask.mockResolvedValueOnce(new Response('no', { status: 503 }));
  ask.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  ask.mockResolvedValueOnce(Response.json({ ann: 'Ann' }));
  for (let i = 0; i < 3; i++) await names.fetchAuthorNames([by('ann', 'a')]);
  expect(log).toHaveBeenCalledTimes(2);
  expect(names.$authorNames.get()).toEqual({ ann: 'Ann' });
});
