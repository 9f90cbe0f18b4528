import { expect, test } from 'vitest';
import { align, type Block, wordChanges } from './align.ts';
import type { Token } from './tokens.ts';

const token = (text: string): Token => ({ kind: /^\s+$/.test(text) ? 'space' : 'word', text, marks: '', more: '' });
const tokens = (text: string) => (text.match(/\s+|[^\s]+/g) ?? []).map(token);
const block = (text: string): Block => ({ html: `<p>${text}</p>`, key: `<p>${text}</p>`, tokens: tokens(text) });
const blocks = (...texts: string[]) => texts.map(block);
const told = (before: string[], after: string[]) =>
  align(blocks(...before), blocks(...after)).map(
    (row) => `${row.kind}: ${[row.before?.key, row.after?.key].filter(Boolean).join(' → ')}`,
  );

test('blocks that are in both stand beside each other, others where they were', () => {
  expect(told(['one', 'two', 'three'], ['one', 'three', 'four'])).toEqual([
    'same: <p>one</p> → <p>one</p>',
    'removed: <p>two</p>',
    'same: <p>three</p> → <p>three</p>',
    'added: <p>four</p>',
  ]);
});

test('blocks with enough words in common are one that changed, also beside a new one', () => {
  const old = 'Ink spreads along the fibres of the paper';
  const now = 'Ink spreads slowly along the fibres of the paper';
  expect(told([old], ['Another', now])).toEqual(['added: <p>Another</p>', `changed: <p>${old}</p> → <p>${now}</p>`]);
  expect(told(['Nothing of'], ['is here'])).toEqual(['removed: <p>Nothing of</p>', 'added: <p>is here</p>']);
});

test('blocks that changed keep their order: likeness alone does not cross', () => {
  const [a, b] = ['a a a a x', 'b b b b x'];
  const kinds = told([a, b], ['b b b b y', 'a a a a y']).map((row) => row.replace(/:.*/, ''));
  expect(kinds.toSorted()).toEqual(['added', 'changed', 'removed']);
});

test('blocks by the thousand, all rewritten, take no time to speak of', () => {
  const many = (mark: string) => Array.from({ length: 2000 }, (_, n) => `paragraph number ${n} says ${mark}`);
  const rows = align(blocks(...many('this')), blocks(...many('that')));
  expect(rows.every(({ kind }) => kind === 'changed')).toBe(true);
});

test('every block of both versions is in a row, once', () => {
  const before = ['a', 'b b', 'c', 'd d d', 'e', 'a'];
  const after = ['a', 'x', 'd d e', 'c', 'a', 'a'];
  const rows = align(blocks(...before), blocks(...after));
  expect(rows.flatMap((row) => row.before?.html ?? [])).toEqual(before.map((text) => `<p>${text}</p>`));
  expect(rows.flatMap((row) => row.after?.html ?? [])).toEqual(after.map((text) => `<p>${text}</p>`));
});

const marked = (before: string, after: string) =>
  wordChanges(tokens(before), tokens(after)).map(
    ({ kind, tokens: own }) => ({ same: '', removed: '-', added: '+' })[kind] + own.map(({ text }) => text).join(''),
  );

test('words that changed are marked, the space between two changes with them', () => {
  expect(marked('the quick brown fox', 'the slow red fox')).toEqual(['the ', '-quick brown', '+slow red', ' fox']);
  expect(marked('a b', 'a b')).toEqual(['a b']);
  expect(marked('', 'new')).toEqual(['+new']);
});

test('words of two texts with nothing in common are not looked for without end', () => {
  const long = (mark: string) => Array.from({ length: 20_000 }, (_, n) => token(`${mark}${n}`));
  const changes = wordChanges(long('a'), long('b')).map(({ kind, tokens: own }) => `${kind} ${own.length}`);
  expect(changes).toEqual(['removed 20000', 'added 20000']);
});
