import { expect, it } from 'vitest';
import { composePost } from './compose.ts';
import { OPTIONS, postOf, RICH } from './testing.ts';
import { columnsOf } from './wrap.ts';

/** Returns the part of the text between the post's address and the footer. */
function textOf(content: string): string {
  const { text } = composePost(postOf(content), OPTIONS);
  return /\/post\/one\n\n([\s\S]*?)\n\n-{72}\n/.exec(text)?.[1] ?? '';
}

it.each([
  [
    'links as numbers, the same for the same address',
    '<p><a href="/a">x</a>, <a href="/a">y</a></p>',
    'x [1], y [1]\n\n[1] https://ink.test/a',
  ],
  ['an address that is its own text once', '<p><a href="https://a.test/">https://a.test</a></p>', 'https://a.test'],
  ['headings with a line below them', '<h2>Ink</h2><p>a</p>', 'Ink\n---\n\na'],
  ['nested lists', '<ol start="9"><li>a</li><li>b<ul><li>c</li></ul></li></ol>', '9. a\n10. b\n    - c'],
  ['tasks', '<ul><li data-checked="true">a</li><li data-checked="false">b</li></ul>', '- [x] a\n- [ ] b'],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  [
    'code as it is',
    `<pre><code>if a:\n\t  b ${'c'.repeat(80)}\n</code></pre>`,
    `    if a:\n    \t  b ${'c'.repeat(80)}`,
  ],
  ['pictures by their description', '<p><img src="/a.png" alt="A well"></p>', '[Picture: A well]'],
  ['formulas as their source', '<p><code class="language-math">\\frac{a+1}{b_i^2}</code></p>', '`\\frac{a+1}{b_i^2}`'],
  [
    'equations as code',
    '<pre><code class="language-math">a &amp;= b \\\\\nc &amp;= d</code></pre>',
    '    a &= b \\\\\n    c &= d',
  ],
])('shows %s', (_, html, text) => {
  expect(textOf(html)).toBe(text);
});

it('shows a table in columns, or in records if it is wide', () => {
  const row = (tag: string, ...cells: string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const narrow = `<table>${row('th', 'Ink', '価格')}${row('td', 'Iron gall', '12')}</table>`;
  expect(textOf(narrow)).toBe('Ink       | 価格\n----------+-----\nIron gall | 12');
  const wide = `<table>${row('th', 'Ink', 'Remarks')}${row('td', 'Gall', 'dark '.repeat(20))}${row('td', 'Sepia', '')}</table>`;
  expect(textOf(wide)).toMatch(/^Ink: Gall\nRemarks: (?:dark ?)+\n(?:dark ?)+\n\nInk: Sepia$/);
});

it('leads from a footnote’s mark to its text', () => {
  const text = textOf(RICH);
  expect(text).toContain('[^1]');
  expect(text).toContain('[^1] From a book [3].');
  expect(text).not.toContain('↩');
});

it('has lines of at most 72 columns, except code and addresses', () => {
  const japanese = `<p>${'紙の繊維に沿ってインクが広がり、'.repeat(20)}</p>`;
  const { text } = composePost(postOf(`${RICH}${japanese}<p>${'word '.repeat(100)}</p>`), OPTIONS);
  const long = text.split('\n').filter((line) => columnsOf(line) > 72 && !/^ {4}|https?:\/\//.test(line));
  expect(long).toEqual([]);
});

it('does not indent deep quotes and lists further than a line has room for', () => {
  for (const tags of ['<blockquote>', '<ul><li>']) expect(textOf(`${tags.repeat(200)}inmost`).length).toBeLessThan(600);
});
