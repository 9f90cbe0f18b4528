import { expect, it } from 'vitest';
import { contentsOf } from './contents.ts';

const heading = (level: number, text: string) => ({ id: `h-${text}`, text, level });
const headings = [heading(3, 'one'), heading(4, 'two'), heading(5, 'too deep'), heading(3, ''), heading(3, 'three')];

it('lists the two highest levels of a long text, without headings that say nothing', () => {
  expect(contentsOf({ headings, words: 700 }).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
});

it('is empty for a short text and for one with few headings', () => {
  expect(contentsOf({ headings, words: 699 })).toEqual([]);
  expect(contentsOf({ headings: headings.slice(0, 3), words: 5000 })).toEqual([]);
  expect(contentsOf({ headings: [], words: 5000 })).toEqual([]);
});
