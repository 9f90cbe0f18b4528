import { expect, it } from 'vitest';
import { extrasOf } from './extras.ts';

const FUTURE = '2999-01-02T03:04:05Z';

it('publishes at its time what was hidden for its time alone', () => {
  const others = { publishAt: '2999-01-02T03:04:05.000Z' };
  expect(extrasOf({ publishAt: FUTURE })).toMatchObject({ draft: true, others });
});

it('never publishes by the clock what was for members, paid, or is late', () => {
  for (const given of [{ hidden: ['it was for members'], publishAt: FUTURE }, { publishAt: '2001-01-02T03:04:05Z' }]) {
    const { draft, others, hidden } = extrasOf(given);
    expect(draft).toBe(true);
    expect(others?.publishAt).toBeUndefined();
    expect(hidden?.join()).toContain('scheduled for');
  }
});

it('takes a page for a page, and names nothing of it', () => {
  expect(extrasOf({ isPage: true })).toMatchObject({ others: { kind: 'page' }, unplaced: undefined });
  expect(extrasOf({ isPage: false }).others).toBeUndefined();
});

it('takes ten tags, each once, and names the others', () => {
  const tags = ['Ink', 'ink ', '', '!', 'x'.repeat(81), ...Array.from({ length: 10 }, (_, at) => `t${at}`)];
  const { others, unplaced } = extrasOf({ tags });
  expect(others?.tags).toEqual(['ink', 't0', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8']);
  expect(unplaced).toEqual([`more tags (!, ${'x'.repeat(81)}, t9)`]);
});

it('shortens an excerpt at a word, keeps the whole in the report, and knows what is no language', () => {
  const excerpt = 'word '.repeat(70).trim();
  const { others, unplaced } = extrasOf({ excerpt, language: 'en_us' });
  expect(others?.excerpt).toMatch(/^.{1,299}word…$/);
  expect(others?.language).toBe('en-US');
  expect(unplaced).toEqual([`the full excerpt (${excerpt})`]);
  expect(extrasOf({ language: 'not a language' }).unplaced).toEqual(['the language “not a language”']);
});
