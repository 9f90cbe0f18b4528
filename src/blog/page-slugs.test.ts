import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { postSchema } from './forms/forms.ts';
import { isPageSlug, RESERVED_SLUGS } from './page-slugs.ts';
import { ALL_ROUTES, ANY, ROUTES } from './routes/table.ts';
import { INDEX_FOLDER } from './search/exported-index.ts';

const firstPart = (path: string) => path.split('/')[1] ?? '';
const isWord = (part: string) => /^[a-z0-9][a-z0-9-]*$/.test(part);

test('every first part of another address is reserved, and no more', () => {
  const routes = ALL_ROUTES.filter((route) => route !== ROUTES.page).map(({ path }) => firstPart(path(ANY)));
  const files = globSync('**/*.{astro,ts}', { cwd: join(import.meta.dirname, '../pages') });
  const pages = files.map((file) => firstPart(`/${file.replace(/\.(?:astro|ts)$/, '')}`));
  const probes = readFileSync(join(import.meta.dirname, '../server/probes.ts'), 'utf8').match(
    /(?<=^ {2}'\/)\w+(?=':)/gm,
  );
  expect(probes).toContain('healthz');
  const taken = [...routes, ...pages, ...(probes ?? []), 'v1', INDEX_FOLDER].filter(isWord);
  expect([...new Set(taken)].sort()).toEqual([...RESERVED_SLUGS].sort());
});

test.each(['about', 'a', 'about-us', 'pages', 'logins', '4040', 'a_b', 'accoun', 'my-account', 'edit-posts'])(
  'a page may be called %s',
  (slug) => expect(isPageSlug(slug)).toBe(true),
);

test.each([
  ...RESERVED_SLUGS,
  'accounting',
  'add-posts',
  'all-posts-2',
  'site.css',
  'about.html',
  '-about',
  'About',
  '',
  'a'.repeat(37),
])('no page may be called %s', (slug) => expect(isPageSlug(slug)).toBe(false));

test('the form refuses such a slug with the list for a page alone', () => {
  const form = { title: 'About', slug: 'login', content: '', status: 'active' };
  expect(postSchema.safeParse(form).success).toBe(true);
  for (const kind of ['page', 'page-with-byline']) {
    const issues = postSchema.safeParse({ ...form, kind }).error?.issues ?? [];
    expect(issues.map(({ path }) => path)).toEqual([['slug']]);
    expect(issues[0]?.message).toContain(RESERVED_SLUGS.join(', '));
    expect(postSchema.safeParse({ ...form, kind, slug: 'v1.2' }).success).toBe(false);
    expect(postSchema.safeParse({ ...form, kind, slug: 'about' }).success).toBe(true);
  }
  expect(postSchema.safeParse({ ...form, kind: 'poem' }).success).toBe(false);
});
