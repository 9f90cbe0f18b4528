import { describe, expect, it, test } from 'vitest';
import { mergeBlocks } from './merge.ts';

const letters = (text: string) => [...text];

/** Merges texts in which each letter is a block. Returns the result, with `[file|blog]` for a conflict. */
function merged(base: string | undefined, file: string, blog: string): string {
  const parts = mergeBlocks(base === undefined ? undefined : letters(base), letters(file), letters(blog));
  return parts
    .map(({ from, file: [a, b], blog: [c, d] }) => {
      if (from === 'conflict') return `[${file.slice(a, b)}|${blog.slice(c, d)}]`;
      return from === 'blog' ? blog.slice(c, d) : file.slice(a, b);
    })
    .join('');
}

it.each([
  ['nothing', 'abc', 'abc', 'abc', 'abc'],
  ['a change of one side', 'abc', 'axc', 'abc', 'axc'],
  ['changes of different blocks', 'abcd', 'axcd', 'abcy', 'axcy'],
  ['changes of adjacent blocks', 'abcd', 'axcd', 'abyd', 'axyd'],
  ['the same change of both', 'abc', 'axc', 'axc', 'axc'],
  ['different changes of one block', 'abc', 'axc', 'ayc', 'a[x|y]c'],
  ['a deletion and a change of one block', 'abc', 'ac', 'axc', 'a[|x]c'],
  ['deletions', 'abcd', 'acd', 'abc', 'ac'],
  ['insertions at one place', 'ab', 'axb', 'ayb', 'axyb'],
  ['the same insertion of both', 'ab', 'axb', 'axb', 'axb'],
  ['an insertion beside a change', 'abc', 'axbc', 'abyc'.replace('b', 'z'), 'axzyc'],
  ['an insertion inside a replaced stretch', 'abcd', 'abxcd', `${'aydef'.slice(0, 2)}d`, 'a[bxc|y]d'],
  ['a new text on both sides', '', 'ab', 'ab', 'ab'],
  ['an emptied side', 'ab', '', 'ab', ''],
])('merges %s', (_, base, file, blog, expected) => expect(merged(base, file, blog)).toBe(expected));

it('takes what only one side has at the first meeting, and shows what differs', () => {
  expect(merged(undefined, 'abxd', 'abyde')).toBe('ab[x|y]de');
  expect(merged(undefined, 'ab', 'ab')).toBe('ab');
});

describe('any two histories', () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  const edited = (text: string[], mark: string) => {
    const blocks = [...text];
    for (let edit = random(6); edit > 0; edit--) {
      const at = random(blocks.length + 1);
      if (random(3) === 0) blocks.splice(at, 1);
      else blocks.splice(at, random(2), `${mark}${random(1000)}`);
    }
    return blocks;
  };
  test('keep every block that neither side removed, and are symmetric', () => {
    for (let run = 0; run < 2000; run++) {
      const base = Array.from({ length: random(12) }, (_, n) => `b${n}`);
      const [file, blog] = [edited(base, 'f'), edited(base, 'g')];
      const parts = mergeBlocks(base, file, blog);
      const shown = parts.flatMap(({ from, file: f, blog: g }) => [
        ...(from === 'blog' ? [] : file.slice(...f)),
        ...(from === 'blog' || from === 'conflict' ? blog.slice(...g) : []),
      ]);
      for (const block of [...file, ...blog])
        if (!base.includes(block) || (file.includes(block) && blog.includes(block))) expect(shown).toContain(block);
      expect(parts.flatMap(({ file: [from, to] }) => to - from).reduce((sum, size) => sum + size, 0)).toBe(file.length);
      expect(parts.flatMap(({ blog: [from, to] }) => to - from).reduce((sum, size) => sum + size, 0)).toBe(blog.length);
      const turned = mergeBlocks(base, blog, file).filter(({ from }) => from === 'conflict');
      expect(turned.length).toBe(parts.filter(({ from }) => from === 'conflict').length);
    }
  });
});
