import { expect, it } from 'vitest';
import { hasConflict, rewriteMarkdown } from './rewrite-markdown.ts';

const MARKDOWN = `Intro,
wrapped.

* one
* two

![](a.png)

***

Last *words*.
`;
const BLOCKS = [
  '<p>Intro,\nwrapped.</p>',
  '<ul>\n<li>one</li>\n<li>two</li>\n</ul>',
  '<p><img src="a.png"></p>',
  '<hr>',
  '<p>Last <em>words</em>.</p>',
];
const write = (blocks: readonly string[]) => blocks.map((html) => html.replace(/<[^>]*>/g, '')).join('\n\n');
const changed = (file: readonly [number, number], blocks: readonly string[], isConflict = false) =>
  rewriteMarkdown(MARKDOWN, BLOCKS, [{ file, blocks, isConflict }], { write, patches: true });

it('changes one word of one block', () => {
  expect(changed([4, 5], ['<p>Last <em>sentence</em>.</p>'])).toBe(MARKDOWN.replace('words', 'sentence'));
});

it('inserts a block at the beginning, in the middle and at the end', () => {
  expect(changed([0, 0], ['<p>New</p>'])).toBe(`New\n\n${MARKDOWN}`);
  expect(changed([1, 1], ['<p>New</p>'])).toBe(MARKDOWN.replace('* one', 'New\n\n* one'));
  expect(changed([5, 5], ['<p>New</p>'])).toBe(`${MARKDOWN.trimEnd()}\n\nNew\n`);
});

it('removes a block with the empty line above it', () => {
  expect(changed([3, 4], [])).toBe(MARKDOWN.replace('\n\n***', ''));
  expect(changed([4, 5], [])).toBe(MARKDOWN.replace('\n\nLast *words*.', ''));
});

it('replaces a picture and a rule, which have no words', () => {
  expect(changed([2, 3], ['<p>Caption</p>'])).toBe(MARKDOWN.replace('![](a.png)', 'Caption'));
});

it('marks both versions of a conflict', () => {
  const marked = changed([0, 1], ['<p>Other</p>'], true);
  expect(marked).toBe(`<<<<<<< file\nIntro,\nwrapped.\n=======\nOther\n>>>>>>> blog${MARKDOWN.slice(15)}`);
  expect([hasConflict(`${marked}`), hasConflict(MARKDOWN)]).toEqual([true, false]);
});

it('finds no place for a change within blocks that share their Markdown', () => {
  const html = ['<p>a</p>', '<p>b</p>'];
  expect(
    rewriteMarkdown('<div>a<p>b</div>', html, [{ file: [0, 1], blocks: [], isConflict: false }], {
      write,
      patches: true,
    }),
  ).toBeUndefined();
});
