import { expect, test } from 'vitest';
import { type IndexedPost, indexText, inOrder, searchPart } from './exported-index.ts';

const shown = { author: 'Ada', date: '2026-01-02', day: 'January 2, 2026' };
const post = (id: string, title: string, text: string): IndexedPost => ({ id, title, text, ...shown });
const posts = [
  post('once', 'A', 'Some ink, and then a very long text about paper and other things.'),
  post('often', 'B', 'Ink ink ink.'),
  post('titled', 'Ink', 'Nothing.'),
  post('resume', 'Résumé', 'Of a naïve printer.'),
  post('none', 'Constructor', 'toString __proto__'),
];
const ids = (...words: string[]) => inOrder(searchPart(indexText(posts), words)).map(({ id }) => id);

test('posts hold every word, by its beginning, whatever its case and accents', () => {
  expect(ids('ink', 'pap')).toEqual(['once']);
  expect(ids('RESUME', 'naive')).toEqual(['resume']);
  expect(ids('ink', 'printer')).toEqual([]);
  expect(ids()).toEqual([]);
});

test('tags are found by their slugs and by their names, alone and beside words', () => {
  const tagged = [...posts, { ...post('tagged', 'C', 'Ink too.'), tags: ['ri-ben', '日本'] }];
  const found = (words: string[], ...tags: string[]) => searchPart(indexText(tagged), words, tags).map(({ id }) => id);
  expect(found([], 'ri-ben')).toEqual(['tagged']);
  expect(found([], ' 日本 ')).toEqual(['tagged']);
  expect(found(['ink'], '日本')).toEqual(['tagged']);
  expect(found(['ink'], '日本', 'other')).toEqual([]);
  expect(found(['titled'], '日本')).toEqual([]);
});

test('titles come first, then those that hold the words most', () =>
  expect(ids('ink')).toEqual(['titled', 'often', 'once']));

test('results say what the list shows', () => {
  expect(searchPart(indexText(posts), ['titled', 'x'])).toEqual([]);
  const [resume] = searchPart(indexText(posts), ['resume']);
  expect(resume).toMatchObject({ id: 'resume', title: 'Résumé', ...shown, inTitle: 1 });
});
