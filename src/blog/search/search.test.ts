import { expect, it } from 'vitest';
import { textTasks } from '../content/text-tasks.ts';
import type { Post } from '../post.ts';
import { hitsIn, marked, snippet } from './marks.ts';
import { QUERY_MAX, queryOf, termsOf, wordsOf } from './query.ts';
import { ranked } from './rank.ts';

const show = (pieces: readonly { text: string; hit: boolean }[]) =>
  pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('');

it('a query is one line of bounded length', () => {
  expect(queryOf('  a \n b  ')).toBe('a b');
  expect(queryOf('\u0000 \u001f')).toBe('');
  expect(queryOf('x'.repeat(QUERY_MAX + 1))).toHaveLength(QUERY_MAX);
});

it('a query is its words, without those that no index holds', () => {
  expect(wordsOf('The Paper, the INK & “paper”')).toEqual(['paper', 'ink']);
  expect(wordsOf('the')).toEqual(['the']);
  expect(wordsOf('to be')).toEqual(['to', 'be']);
  expect(wordsOf('"*(){}^~ -- ')).toEqual([]);
  expect(wordsOf('one two three four five six seven eight nine ten'.replace(/\b/g, 'x'))).toHaveLength(8);
});

it('marks stand around whole words that begin as asked, whatever case and accents', () => {
  expect(show(marked('Résumé of RESUMES, no presume', ['resume']))).toBe('[Résumé] of [RESUMES], no presume');
  expect(show(marked('Naïve', ['naïve']))).toBe('[Naïve]');
  expect(show(marked('a < b', ['x']))).toBe('a < b');
  expect(marked('', ['x'])).toEqual([]);
});

it('marks are counted by word', () =>
  expect(hitsIn('ink and paper and ink', ['ink', 'pen'])).toEqual({ words: 1, times: 2 }));

const filler = 'lorem ipsum dolor '.repeat(20);

it('the words around a hit begin and end between words', () => {
  const text = show(snippet(`${filler}the letterpress ${filler}`, ['letterpress'], 120));
  expect(text).toMatch(/^… \w+ .*the \[letterpress\] lorem .*\w…$/);
  expect(text.length).toBeLessThan(130);
});

it('the words around a hit are the beginning where the hit is in the title alone', () => {
  expect(show(snippet('one two three', ['nine'], 9))).toBe('one two…');
  expect(show(snippet('one two', ['nine'], 9))).toBe('one two');
});

it('the words around a hit are found in a long text without blanks', () =>
  expect(show(snippet(`${'漢'.repeat(300)}`, ['ink'], 50))).toBe(`${'漢'.repeat(50)}…`));

const post = (id: string, title: string, content: string) => ({ id, title, content }) as Post;
const ids = async (posts: Post[], ...words: string[]) =>
  (await ranked(posts, words, textTasks)).map((result) => result.post.id);

it('the order of results is titles first, then how often the words are there', async () => {
  const posts = [post('once', 'A', '<p>ink</p>'), post('often', 'B', '<p>ink ink ink</p>'), post('titled', 'Ink', '')];
  expect(await ids(posts, 'ink')).toEqual(['titled', 'often', 'once']);
});

it('the order of results leaves out what holds a word in its markup alone', async () => {
  const marked = [post('a', 'A', '<p><strong>b</strong> <a href="/letterpress">c</a></p>')];
  for (const word of ['strong', 'letterpress']) expect(await ids(marked, word)).toEqual([]);
});

it('tags in a query stand behind tag:, in quotes where they hold blanks, and are no words', () => {
  expect(termsOf('tag:Ink paper')).toEqual({ tags: ['Ink'], words: ['paper'] });
  expect(termsOf('paper TAG:"ink and size" tag:墨')).toEqual({ tags: ['ink and size', '墨'], words: ['paper'] });
  expect(termsOf('“tag: ink” vintage:ink').tags).toEqual([]);
  expect(termsOf('tag:a tag:b tag:c tag:d tag:e').tags).toHaveLength(4);
});
