import { expect, test } from 'vitest';
import { PRESERVED, preserveAttributes, restoreAttributes } from './inert-document.ts';

test.each([
  ['<p style="color: red">a</p>', `<p ${PRESERVED}style="color: red">a</p>`],
  ["<p class=x style='a'><b STYLE=c>d</b></p>", `<p class=x ${PRESERVED}style='a'><b ${PRESERVED}STYLE=c>d</b></p>`],
  ['<img alt="a > b"style="c"/>', `<img alt="a > b"${PRESERVED}style="c"/>`],
  ['<p title="x" onclick="a(\'b\')">c</p>', `<p title="x" ${PRESERVED}onclick="a('b')">c</p>`],
])('what would be reported has another name: %s', (html, held) => {
  expect(preserveAttributes(html)).toBe(held);
  expect(restoreAttributes(held)).toBe(html);
});

test.each([
  '<p>a style = "b"</p>',
  '<img alt="a style=b">',
  "<img alt='onclick=b' title=style>",
  '<style type="a">p { b: c }</style><p> style="d" &lt;p style="e"></p>',
])('nothing else is touched: %s', (html) => expect(preserveAttributes(html)).toBe(html));

test.each([
  `<p>${PRESERVED}words, ${PRESERVED}style="a"</p>`,
  `<img alt="${PRESERVED}style=b">`,
  `<pre><code>&lt;p ${PRESERVED}onclick="c"&gt;</code></pre>`,
])('what a writer wrote stays, however it reads: %s', (html) =>
  expect(restoreAttributes(preserveAttributes(html))).toBe(html),
);
