import { expect, test } from 'vitest';
import type { ListedPost } from './ledger.ts';
import { EVERY_POST, Versions } from './versions.ts';

test('with what the run before worked out, versions are those that are worked out anew', () => {
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
  let names = new Map([['u0', 'Ada']]);
  const pages = new Map<string, string[]>([
    ['/', ['p0', 'p1', 'p2']],
    ['/page/2', ['p3', 'p4']],
    ['/sitemap-1.xml', [EVERY_POST]],
    ['/archive/2021', ['p1', 'p4']],
    ['/author/u1', ['p1', 'p4']],
    ['/post/p2/share.png', ['p2']],
    ...posts.map(({ id }): [string, string[]] => [`/post/${id}`, [id, 'p5']]),
  ]);
  let former: Versions | undefined;
  let changed = 0;
  for (let step = 0; step < 200; step++) {
    const at = random(posts.length);
    const kind = random(5);
    if (kind === 0) posts = posts.with(at, { ...(posts[at] as ListedPost), updatedAt: `${step}` });
    else if (kind === 1 && posts.length > 4) posts = posts.toSpliced(at, 1);
    else if (kind === 2)
      posts = posts.some(({ id }) => id === `p${step % 12}`) ? posts : posts.toSpliced(at, 0, post(step % 12));
    else if (kind === 3) names = new Map([['u0', `Ada ${random(2)}`]]);
    if (random(4) === 0)
      pages.set(
        '/',
        posts.slice(0, 3).map(({ id }) => id),
      );
    const before = former;
    former = new Versions(posts, names, before);
    const anew = new Versions(posts, names);
    for (const [path, named] of pages) {
      // Not every run asks for every page.
      if (random(5) === 0) continue;
      const version = former.of(path, named);
      expect(version).toBe(anew.of(path, named));
      if (before && version !== before.of(path, named)) changed++;
    }
  }
  expect(changed).toBeGreaterThan(100);
});
