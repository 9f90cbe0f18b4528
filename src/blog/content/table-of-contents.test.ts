import { expect, it } from 'vitest';
import { tableOfContents } from './table-of-contents.ts';

const heading = (level: number, text: string) => ({ id: `h-${text}`, text, level });
const headings = [heading(3, 'one'), heading(4, 'two'), heading(5, 'too deep'), heading(3, ''), heading(3, 'three')];

it('lists the two highest levels of a long text, without headings that say nothing', () =>
  expect(tableOfContents({ headings, words: 700 }).map(({ text }) => text)).toEqual(['one', 'two', 'three']));

it('is empty for a short text and for one with few headings', () => {
  expect(tableOfContents({ headings, words: 699 })).toEqual([]);
  expect(tableOfContents({ headings: headings.slice(0, 3), words: 5000 })).toEqual([]);
  expect(tableOfContents({ headings: [], words: 5000 })).toEqual([]);
});

it('is the highest level alone where two would be hundreds of lines, and nothing where that is hundreds', () => {
  const many = (count: number, level: number) =>
    Array.from({ length: count }, (_, i) => heading(level, `${level}-${i}`));
  const listed = (...given: (typeof headings)[]) => tableOfContents({ headings: given.flat(), words: 5000 }).length;
  expect(listed(many(100, 2), many(100, 3))).toBe(200);
  expect(listed(many(100, 2), many(101, 3))).toBe(100);
  expect(listed(many(200, 2))).toBe(200);
  expect(listed(many(201, 2))).toBe(0);
});
