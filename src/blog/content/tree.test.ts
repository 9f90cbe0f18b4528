import type { Element, Properties, Root } from 'hast';
import { expect, test } from 'vitest';
import { parseHtml, writeHtml } from './tree.ts';

test.each([
  ['elements and their words', '<h2 id="a">Ink</h2><p>On <em>paper</em>.</p>'],
  ['an element without an end tag', '<p>One<br>two</p><hr><img src="/a.png" alt="">'],
  ['signs that would be markup', '<p>a &lt; b &amp;&amp; c > d &amp;lt; "e"</p>'],
  ['quotes in an attribute', '<a href="/?a=1&amp;b=2" title="&quot;It&#x27;s&#x60;">x</a>'],
  ['signs of attributes that need none', '<a title="a < b > c">x</a>'],
  ['attributes whose names a tree has in another form', '<td colspan="2" data-checked="true" aria-label="x"></td>'],
  ['classes', '<code class="language-rust hljs">fn</code>'],
  ['sizes of a picture', '<img src="/a" srcset="/a 1x, /b 2x" sizes="50vw">'],
  ['a switch', '<input type="checkbox" checked disabled>'],
  ['a switch that may have a value', '<a download>a</a><a download="b.txt">b</a>'],
  ['words that are no markup', '<style>a > b { content: "<" }</style><script>if (a < b && c) d();</script>'],
  ['what a template holds', '<template><p>Held</p></template>'],
  ['a remark', '<p>a</p><!-- one > two --><p>b</p>'],
  ['letters of any writing', '<p>漢字 עברית 👩‍👩‍👧 \u00a0 é</p>'],
])('HTML that is read and written is the same: %s', (_, html) => {
  const context = html.startsWith('<td') ? `<table><tbody><tr>${html}</tr></tbody></table>` : html;
  expect(writeHtml(parseHtml(context))).toBe(context);
});

const written = (...children: Root['children']) => writeHtml({ type: 'root', children });
const element = (tagName: string, properties: Properties): Element => ({
  type: 'element',
  tagName,
  properties,
  children: [],
});

test('a tree that no parser gives says nothing of attributes that are not set, and gets none by a name that ends another', () => {
  expect(written(element('a', { href: undefined, download: false, hidden: '' }))).toBe('<a hidden></a>');
  expect(written(element('p', { 'x onclick="y"': 'z' }))).toBe('<p x&#x20;onclick&#x3D;&quot;y&quot;="z"></p>');
});

test('a tree that no parser gives gets no element by a remark that ends early', () => {
  const comments = ['--><script>', '>a<!-'].map((value) => ({ type: 'comment' as const, value }));
  expect(written(...comments)).toBe('<!----&gt;<script>--><!--&gt;a&lt;!--->');
});
