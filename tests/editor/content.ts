/** Generates arbitrary content: every element on the sanitiser's allowlist, nested at random. */
import fc from 'fast-check';
import { wrap } from './documents.ts';

const word = fc.constantFrom(
  ...['ink', 'paper ', ' a b', '&amp;', '漢字', '&nbsp;', '\n', 'x<br>y', '1.', 'שלום ', '👩‍👩‍👧‍👦'],
);

const marks = [
  ...['strong', 'em', 'del', 'u', 'sub', 'sup', 'mark', 'code'].map((tag) => wrap(tag)),
  wrap('code', ' class="language-js"'),
  wrap('a', ' href="/x"'),
  wrap('a', ' href="/x" title="T"'),
  wrap('a', ' href="#fn-1" id="fnref-1" data-footnote-ref=""'),
];

const CELLS = [
  ...[wrap('th'), wrap('td')],
  ...[' align="right"', ' colspan="2"', ' rowspan="2"'].map((attribute) => wrap('td', attribute)),
];

const { inline, blocks } = fc.letrec<{ inline: string; block: string; blocks: string }>((tie) => ({
  inline: fc
    .array(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        word,
        fc.constantFrom('<img src="/a.png">', '<img src="/b.png" alt="b" width="3" height="4" title="t">'),
        fc.tuple(fc.constantFrom(...marks), tie('inline')).map(([mark, inside]) => mark(inside)),
      ),
      { maxLength: 3 },
    )
    .map((parts) => parts.join('')),
  block: fc.oneof(
    { maxDepth: 3 },
    tie('inline').map(wrap('p')),
    tie('inline'),
    fc
      .tuple(fc.constantFrom('h1', 'h2', 'h3', 'h4', 'h5', 'h6'), tie('inline'))
      .map(([tag, inside]) => wrap(tag)(inside)),
    fc.constant('<hr>'),
    fc.constantFrom(
      '<pre>a\n b</pre>',
      '<pre><code class="language-rust">fn\n\tx</code></pre>',
      '<pre><code>\n\nz\n</code></pre>',
    ),
    tie('blocks').map(wrap('blockquote')),
    fc
      .tuple(fc.constantFrom('ul', 'ol', 'ol start="4"'), fc.array(tie('blocks'), { minLength: 1, maxLength: 3 }))
      .map(
        ([list, items]) =>
          `<${list}>${items.map((item, index) => (index === 1 ? `<li data-checked="true">${item}</li>` : `<li>${item}</li>`)).join('')}</${list.slice(0, 2)}>`,
      ),
    fc
      .array(fc.array(tie('blocks'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map(
        (rows) =>
          `<table><thead><tr><th align="center">h</th></tr></thead><tbody>${rows.map((cells) => `<tr>${cells.map((cell, index) => CELLS[(index + cell.length) % CELLS.length]?.(cell)).join('')}</tr>`).join('')}</tbody></table>`,
      ),
    tie('inline').map((inside) => `<figure><img src="/f.png" alt="f"><figcaption>${inside}</figcaption></figure>`),
    tie('blocks').map((inside) => `<section data-footnotes><ol><li id="fn-1">${inside}</li></ol></section>`),
    fc
      .tuple(fc.constantFrom('div', 'dl', 'caption', 'tr', 'li', 'video'), tie('blocks'))
      .map(([tag, inside]) => wrap(tag)(inside)),
  ),
  blocks: fc.array(tie('block'), { maxLength: 3 }).map((parts) => parts.join('')),
}));

const withOwnIds = (html: string) => {
  let number = 0;
  return html.replace(/id="(fn|fnref)-1"/g, (_, name: string) => `id="${name}-${++number}"`);
};

export const anyContent: fc.Arbitrary<string> = fc.oneof(blocks, inline).map(withOwnIds);
