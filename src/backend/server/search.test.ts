import { expect, it } from 'vitest';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { createPublicReader } from '../server.ts';
import { createAdmin } from '../server-key/admin.ts';

const site = await sharedSite();
const admin = createAdmin(site.target);
const reader = createPublicReader(site.target);
const ann = (await admin.createAuthor({ email: 'ann@example.com', name: 'Ann' })).user.id;

const write = (id: string, title: string, content: string, change: object = {}) =>
  admin.createPost({ id, title, content, featuredImage: '', status: 'active', userId: ann, ...change });
const found = async (...words: string[]) => (await reader.search(words)).posts.map(({ id }) => id);

const day = (n: number) => ({ createdAt: `2026-01-0${n}T00:00:00.000+00:00` });
await write('titled', 'On letterpress', '<p>Old machines.</p>', day(1));
await write('mentioned', 'Machines', '<p>The letterpress, and <em>paper</em>.</p>', day(2));
await write('hidden', 'Letterpress drafts', '<p>letterpress</p>', { status: 'inactive', ...day(3) });
await write('accented', 'Résumé', '<p>Café.</p>', day(4));

it('finds words in titles before words in texts, and no inactive post', async () =>
  expect(await found('letterpress')).toEqual(['titled', 'mentioned']));

it('every word must be there, in the title or in the text, which it gives', async () => {
  expect(await found('letterpress', 'machines')).toEqual(['mentioned', 'titled']);
  const content = '<p>The letterpress, and <em>paper</em>.</p>';
  expect((await reader.search(['letterpress', 'paper'])).posts).toMatchObject([{ id: 'mentioned', content }]);
  expect(await found('letterpress', 'nonesuch')).toEqual([]);
});

it('words match by their beginning, whatever their accents', async () => {
  expect(await found('letterp')).toEqual(['titled', 'mentioned']);
  expect(await found('resume', 'cafe')).toEqual(['accented']);
});

it('goes on page by page, titles first, and says where the end is', async () => {
  for (let n = 0; n < 41; n++) {
    if (n < 5) await write(`many-${n}`, `Codex ${n}`, '');
    else await write(`many-${n}`, `Book ${n}`, '<p>codex</p>');
  }
  const pages = [];
  for (const page of [1, 2, 3, 4]) pages.push(await reader.search(['codex'], page));
  const lengths = pages.map(({ posts, isMore }) => `${posts.length} ${isMore}`);
  expect(lengths).toEqual(['20 true', '20 true', '1 false', '0 false']);
  expect(pages[0]?.posts.slice(0, 5).every(({ title }) => title.startsWith('Codex'))).toBe(true);
  expect(new Set(pages.flatMap(({ posts }) => posts.map(({ id }) => id))).size).toBe(41);
});
