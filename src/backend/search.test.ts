import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedSite, openEmbeddedSite } from '../../tests/support/embedded-site.ts';
import { type Admin, createAdmin } from './admin.ts';
import { createPublicReader, type PublicReader } from './server.ts';

let site: EmbeddedSite;
let admin: Admin;
let reader: PublicReader;
let ann: string;

const write = (id: string, title: string, content: string, change: object = {}) =>
  admin.createPost({ id, title, content, featuredImage: '', status: 'active', userId: ann, ...change });
const found = async (...words: string[]) => (await reader.search(words)).map(({ id }) => id);

beforeAll(async () => {
  site = await openEmbeddedSite();
  admin = createAdmin(site.target);
  reader = createPublicReader(site.target);
  ann = (await admin.createAuthor({ email: 'ann@example.com', name: 'Ann' })).user.id;
  const day = (n: number) => ({ createdAt: `2026-01-0${n}T00:00:00.000+00:00` });
  await write('titled', 'On letterpress', '<p>Old machines.</p>', day(1));
  await write('mentioned', 'Machines', '<p>The letterpress, and <em>paper</em>.</p>', day(2));
  await write('hidden', 'Letterpress drafts', '<p>letterpress</p>', { status: 'inactive', ...day(3) });
  await write('accented', 'Résumé', '<p>Café.</p>', day(4));
});
afterAll(() => site.close());

it('finds words in titles before words in texts, and no inactive post', async () => {
  expect(await found('letterpress')).toEqual(['titled', 'mentioned']);
});

it('every word must be there, in the title or in the text', async () => {
  expect(await found('letterpress', 'machines')).toEqual(['mentioned', 'titled']);
  expect(await found('letterpress', 'paper')).toEqual(['mentioned']);
  expect(await found('letterpress', 'nonesuch')).toEqual([]);
});

it('words match by their beginning, whatever their accents', async () => {
  expect(await found('letterp')).toEqual(['titled', 'mentioned']);
  expect(await found('resume', 'cafe')).toEqual(['accented']);
});

it('gives the texts of what it finds', async () => {
  expect(await reader.search(['paper'])).toMatchObject([{ content: '<p>The letterpress, and <em>paper</em>.</p>' }]);
});
