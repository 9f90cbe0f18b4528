import { describe, expect, test } from 'vitest';
import { versionsPage } from './chromium.ts';
import { pageOf } from './hands.ts';
import type { Compared } from './versions-page.ts';

const page = await pageOf(versionsPage());

type Chosen = Parameters<typeof window.compare>[3];
const compare = (before: string, after: string, base = '', chosen: Chosen = []): Promise<Compared> =>
  page.evaluate((given) => window.compare(...given), [before, after, base, chosen] as const);

const LIST = '<ol start="3"><li>Oak galls</li><li>Iron <a href="/a">vitriol</a></li></ol>';
const TABLE =
  '<table><thead><tr><th>Kind</th><th>Price</th></tr></thead><tbody><tr><td>Black</td><td>3</td></tr></tbody></table>';

describe('a difference', () => {
  test('is none for HTML that only is written otherwise', async () => {
    const { rows } = await compare(`<p>a</p>${TABLE}`, `<p>a</p>\n${TABLE.replace(/<\/?tbody>/g, '')}\n`);
    expect(rows.map((row) => row.split(':')[0])).toEqual(['same', 'same']);
  });

  test('shows words in lists and cells, and an address only where it changed', async () => {
    const { rows } = await compare(LIST, LIST.replace('galls', 'galls, crushed').replace('"/a"', '"/b"'));
    expect(rows).toEqual(['changed: \n3.Oak galls{+, crushed+}\n4.Iron vitriol[-(/a)-]{+(/b)+}']);
    expect((await compare(TABLE, TABLE.replace('>3<', '>4<'))).rows[0]).toContain('Black\u2002│\u2002[-3-]{+4+}');
  });

  test('shows words that are set otherwise, another heading, another picture of the same name', async () => {
    for (const [before, after, row] of [
      ['<p>old ink</p>', '<p>old <strong>ink</strong></p>', 'old [-ink-]{+ink+}'],
      ['<h2>Ink</h2>', '<h3>Ink</h3>', '[-[H2]-]{+[H3]+}Ink'],
      ['<p>x <img src="/a.png" alt="A"></p>', '<p>x <img src="/b.png" alt="A"></p>', 'x [-A-]{+A+}'],
    ] as const)
      expect((await compare(before, after)).rows).toEqual([`changed: ${row}`]);
  });
});

describe('a merge', () => {
  const base = '<p>one one</p>\n<p>two two</p><p>three three</p>';

  test('takes what one side alone changed, added or took away', async () => {
    const theirs = '<p>one one more</p><p>two two</p><p>three three</p><p>four</p>';
    const mine = '<p>zero</p><p>one one</p><p>three three</p>';
    const { merged, clear, rows } = await compare(theirs, mine, base);
    expect(clear).toHaveLength(rows.filter((row) => !row.startsWith('same')).length);
    expect(merged.content).toBe('<p>zero</p><p>one one more</p><p>three three</p><p>four</p>');
  });

  test('asks about what both changed, and keeps both until it is told', async () => {
    const [theirs, mine] = [base.replace('two two', 'two two, he said'), base.replace('two two', 'two two, she said')];
    const open = await compare(theirs, mine, base);
    expect(open.clear).toEqual([]);
    const both = '<p>two two, he said</p><p>two two, she said</p>';
    expect(open.merged.content).toBe(`<p>one one</p>\n${both}<p>three three</p>`);
    expect((await compare(theirs, mine, base, [[1, 'before']])).merged.content).toBe(theirs);
    expect((await compare(theirs, mine, base, [[1, 'after']])).merged.content).toBe(mine);
  });

  test('of one side alone is that side to the letter', async () => {
    const odd = 'loose <em>words</em>\n\n<p>one</p>\n<p>a\u00a0b &amp; c</p>\n';
    const all: Chosen = [0, 2].map((row) => [row, 'after']);
    expect((await compare('<p>one</p>', odd, '', all)).merged.content).toBe(odd);
  });
});

test('a source tells what the sanitiser takes away, and nothing of what it only writes otherwise', async () => {
  const losses = (html: string) => page.evaluate((source) => window.losses(source), html);
  const same = '<p><b>a</b> <i>b</i><br/>c</p><ol start="1"><li><input type="checkbox"> d</li></ol>';
  expect(await losses(`${LIST}${TABLE}${same}`)).toEqual([]);
  expect(await losses('<script>x<b>y</b></script><div><p class="x" style="y">a</p></div><!-- n -->')).toEqual([
    ...['whole: <script> 1', 'tag: <div> 1', 'attribute: class <p> 1', 'attribute: style <p> 1', 'comment: <!-- --> 1'],
  ]);
  const addresses = '<p><a href="javascript:x()">a</a> <img src="data:image/png;base64,xx" alt="A"></p>';
  expect(await losses(addresses)).toEqual(['attribute: href <a> 1', 'tag: <img> 1']);
});
