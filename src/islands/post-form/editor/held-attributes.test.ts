import { expect, test } from 'vitest';
import { HELD, hold, release } from './held-attributes.ts';

test.each([
  ['<p style="color: red">a</p>', `<p ${HELD}style="color: red">a</p>`],
  ["<p class=x style='a'><b STYLE=c>d</b></p>", `<p class=x ${HELD}style='a'><b ${HELD}STYLE=c>d</b></p>`],
  ['<img alt="a > b"style="c"/>', `<img alt="a > b"${HELD}style="c"/>`],
  ['<p title="x" onclick="a(\'b\')">c</p>', `<p title="x" ${HELD}onclick="a('b')">c</p>`],
])('what would be reported has another name: %s', (html, held) => {
  expect(hold(html)).toBe(held);
  expect(release(held)).toBe(html);
});

test.each([
  '<p>a style = "b"</p>',
  '<img alt="a style=b">',
  "<img alt='onclick=b' title=style>",
  '<style type="a">p { b: c }</style><p> style="d" &lt;p style="e"></p>',
])('nothing else is touched: %s', (html) => expect(hold(html)).toBe(html));

test.each([
  `<p>${HELD}words, ${HELD}style="a"</p>`,
  `<img alt="${HELD}style=b">`,
  `<pre><code>&lt;p ${HELD}onclick="c"&gt;</code></pre>`,
])('what a writer wrote stays, however it reads: %s', (html) => expect(release(hold(html))).toBe(html));
