import { expect, test } from 'vitest';
import type { ListedPost } from './ledger.ts';
import { changedPosts, EVERY_POST, isTouched, Versions } from './versions.ts';

test('a page that no changed post touches has the version that it had', () => {
  // A fixed row of pseudo-random numbers: a failure comes again.
  let seed = 11;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const post = (n: number): ListedPost => ({
    id: `p${n}`,
    title: '',
    userId: `u${n % 3}`,
    createdAt: `${2020 + (n % 3)}-01-01`,
    updatedAt: '0',
  });
  let posts = Array.from({ length: 12 }, (_, n) => post(n));
  const names = new Map([['u0', 'Ada']]);
  const pages = new Map<string, string[]>([
    ['/', ['p0', 'p1', 'p2']],
    ['/page/2', ['p3', 'p4']],
    ['/sitemap-1.xml', [EVERY_POST]],
    ['/archive/2021', ['p1', 'p4']],
    ['/author/u1', ['p1', 'p4']],
    ['/post/p2/share.png', ['p2']],
    ...posts.map(({ id }): [string, string[]] => [`/post/${id}`, [id, 'p5']]),
  ]);
  const counts = { unknown: 0, touched: 0, untouched: 0 };
  for (let step = 0; step < 200; step++) {
    const before = posts;
    const at = random(posts.length);
    const kind = random(5);
    const given = posts[at] as ListedPost;
    if (kind <= 1) posts = posts.with(at, { ...given, updatedAt: `${step}` });
    else if (kind === 2 && posts.length > 4) posts = posts.toSpliced(at, 1);
    else if (kind === 3 && !posts.some(({ id }) => id === `p${step % 12}`)) {
      posts = posts.toSpliced(at, 0, post(step % 12));
    } else if (kind === 4) posts = posts.with(at, { ...given, userId: `u${random(3)}`, updatedAt: `${step}` });
    const changed = changedPosts(new Map(before.map((one) => [one.id, one])), posts);
    if (!changed) counts.unknown++;
    const [then, now] = [new Versions(before, names), new Versions(posts, names)];
    for (const [path, named] of pages) {
      if (!changed) continue;
      if (isTouched(named, changed)) {
        expect(now.of(path, named)).not.toBe(then.of(path, named));
        counts.touched++;
      } else {
        expect(now.of(path, named)).toBe(then.of(path, named));
        counts.untouched++;
      }
    }
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});
