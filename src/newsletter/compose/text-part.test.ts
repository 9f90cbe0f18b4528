import { expect, it } from 'vitest';
import { composePost } from './compose.ts';
import { OPTIONS, postOf, RICH } from './testing.ts';

/** Returns the email's text between the date and the footer, without the link to the post. */
function textOf(content: string): string {
  const { text } = composePost(postOf(content), OPTIONS);
  const own = text.replace('Read this post on the site:\nhttps://ink.test/post/one\n\n', '');
  return /2026\n\n([\s\S]*?)\n\n-{72}\n\nYou get/.exec(own)?.[1] ?? '';
}

/** Returns a line's width in columns. Each Chinese, Japanese or Korean character counts as two. */
const columnsOf = (line: string): number => line.replace(/[\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60]/g, '  ').length;

it.each([
  [
    'links as numbers, the same for the same address',
    '<p><a href="/a">x</a>, <a href="/a">y</a></p>',
    'x [1], y [1]\n\n[1] https://ink.test/a',
  ],
  ['a link alone that ends with a colon', '<p><a href="/a">x:</a></p>', 'x:\nhttps://ink.test/a'],
  ['a link alone with its address', '<p><a href="/a">x</a></p>', 'x:\nhttps://ink.test/a'],
  ['an address that is its own text once', '<p><a href="https://a.test/">https://a.test</a></p>', 'https://a.test'],
  ['headings with a line below them', '<h2>Ink</h2><p>a</p>', 'Ink\n---\n\na'],
  ['nested lists', '<ol start="9"><li>a</li><li>b<ul><li>c</li></ul></li></ol>', ' 9.  a\n 10. b\n     - c'],
  ['tasks', '<ul><li data-checked="true">a</li><li data-checked="false">b</li></ul>', '- ☑ a\n- ☐ b'],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['code as it is', `<pre><code>if:\n\t  b ${'c'.repeat(80)}\n</code></pre>`, `    if:\n    \t  b ${'c'.repeat(80)}`],
  ['pictures by their description', '<p><img src="/a.png" alt="A well"></p>', '[Picture: A well]'],
  ['formulas as their source', '<p><code class="language-math">\\frac{a+1}{b_i^2}</code></p>', '`\\frac{a+1}{b_i^2}`'],
  ['equations as code', '<pre><code class="language-math">a &amp;= b \\\\\nc</code></pre>', '    a &= b \\\\\n    c'],
])('shows %s', (_, html, text) => {
  expect(textOf(html)).toBe(text);
});

it('shows a table in columns that fit on a line', () => {
  const row = (tag: string, ...cells: string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const narrow = `<table>${row('th', 'Ink', '価格')}${row('td', 'Iron gall', '12')}</table>`;
  expect(textOf(narrow)).toBe('Ink         価格\nIron gall   12');
  const wide = `<table>${row('th', 'Ink', 'Remarks')}${row('td', 'Gall', 'dark '.repeat(20))}${row('td', 'Sepia', '')}</table>`;
  expect(textOf(wide)).toMatch(/^Ink {5}Remarks\nGall {4}(?:dark ?)+\n(?: {8}(?:dark ?)+\n)+Sepia$/);
  const broad = textOf(`<table>${row('td', ...Array(5).fill('dark '.repeat(20)))}</table>`);
  expect(Math.max(...broad.split('\n').map(columnsOf))).toBeLessThanOrEqual(72);
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
