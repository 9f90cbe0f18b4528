import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPageSlug } from '#blog/page-slugs.ts';
import { isSlug } from '#blog/slug.ts';
import { assignSlugs, slugOfName, suffixed } from './slugs.ts';

it('keeps an old name that can be a slug', () => {
  expect(slugOfName('1.94.1-release', 'x.md')).toBe('1.94.1-release');
  expect(slugOfName('Core-Team', 'x.md')).toBe('core-team');
  expect(slugOfName('日本の活字', 'x.md')).toBe('ri-ben-nohuo-zi');
});

it('shortens one of 37 characters and tells it apart by its path', () => {
  expect(slugOfName('a'.repeat(36), 'x.md')).toBe('a'.repeat(36));
  const [one, two] = [slugOfName('a'.repeat(37), 'one.md'), slugOfName('a'.repeat(37), 'two.md')];
  expect(one).toMatch(/^a{29}-[0-9a-f]{6}$/);
  expect(one).not.toBe(two);
  expect(slugOfName('a'.repeat(37), 'one.md')).toBe(one);
});

it('gives a name of marks its path instead', () => expect(slugOfName('!!!', 'x.md')).toMatch(/^post-[0-9a-f]{6}$/));

it('gives a page no address of the site and no dot, and leaves its name to a post', async () => {
  expect(slugOfName('About.Us', 'x.md', isPageSlug)).toBe('about-us');
  expect(slugOfName('login', 'x.md', isPageSlug)).toMatch(/^login-[0-9a-f]{6}$/);
  const page = { path: 'a', name: 'login', others: { kind: 'page' } } as const;
  const slugs = await assignSlugs([page, { path: 'b', name: 'login' }], (_, wanting) => wanting[0]);
  expect([...slugs.values()]).toEqual([expect.stringMatching(/^login-/), 'login']);
});

it('never gives what cannot be a slug', () => {
  const isRight = (name: string, path: string) =>
    isSlug(slugOfName(name, path)) &&
    isPageSlug(slugOfName(name, path, isPageSlug)) &&
    isSlug(suffixed(slugOfName(name, path), path));
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.string(), isRight));
});
