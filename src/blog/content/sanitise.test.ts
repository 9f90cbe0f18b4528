import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ALLOWED, DROPPED } from './allowlist.ts';
import { sanitise } from './sanitise.ts';

it.each([
  '<h1>a</h1><h6>b</h6><p><strong>c</strong><em>d</em><del>e</del><u>f</u><sub>g</sub><sup>h</sup><mark>i</mark></p>',
  '<pre><code class="language-c++">a &lt; b &amp;&amp; c\n\n  d</code></pre>',
  '<ol start="5"><li>a</li></ol><ul><li data-checked="true">b</li><li data-checked="false">c</li></ul>',
  '<p><a href="https://example.com/?a=1&amp;b=2" title="t">x</a> <a href="mailto:a@b.co">m</a> <a href="tel:+491">t</a> <a href="sms:+491">s</a> <a href="#there">h</a></p>',
  '<figure><img src="/v1/x?y=1" alt="a" title="t" width="40" height="30"><figcaption>c</figcaption></figure>',
  '<table><caption>c</caption><thead><tr><th align="center">h</th></tr></thead><tbody><tr><td colspan="2" rowspan="3">d</td></tr></tbody></table>',
  '<blockquote><p>a<br>b</p></blockquote><hr>',
  '<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup><section data-footnotes=""><ol><li id="fn-1"><p>n <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
])('sanitise keeps %s', (html) => expect(sanitise(html)).toBe(html));

it.each([
  ['<p onclick="x()" style="color:red" class="y" id="z">a</p>', '<p>a</p>'],
  ['a<script>alert(1)</script><style>p{}</style>b', 'ab'],
  ...['javascript:x', 'java\nscript:x', 'data:text/html,x', 'vbscript:x', '\u0001JAVASCRIPT:x', 'blob:https://a'].map(
    (href) => [`<a href="${href}">x</a>`, '<a>x</a>'],
  ),
  ['<img src="data:image/png;base64,AAAA" alt="x">a', 'a'],
  ['<img src=x onerror=alert(1)>', '<img src="x">'],
  ['<svg><text>x</text><script>alert(1)</script></svg><iframe src=x>t</iframe>a', 'a'],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
  ['<b>a</b><i>b</i><s>c</s><strike>d</strike>', '<strong>a</strong><em>b</em><del>c</del><del>d</del>'],
  ['<kbd>e</kbd>', '<code>e</code>'],
  ['<a href="//example.com/x">a</a>', '<a href="https://example.com/x">a</a>'],
  ['<span>a <font color=red>b</font></span>', 'a b'],
  ['<code class="x language-js y">a</code>', '<code class="language-js">a</code>'],
  ['<code class="btn">b</code>', '<code>b</code>'],
  ['<li id="menu">a</li><a id="location" href="#x">b</a>', '<li>a</li><a href="#x">b</a>'],
  ['<ol start="1"><li>a</li></ol><ol start="x"></ol>', '<ol><li>a</li></ol><ol></ol>'],
  ['<img src="/a" width="40px" height="3e5">', '<img src="/a" width="40">'],
  ['<td align="RIGHT" colspan="1" rowspan="0">a</td>', '<td align="right">a</td>'],
])('sanitise makes %s into %s', (html, safe) => expect(sanitise(html)).toBe(safe));

it('sanitise keeps the words of blocks it takes away apart', () =>
  expect(sanitise('<div>one</div><div>two</div>').split(/\s+/).filter(Boolean)).toEqual(['one', 'two']));

it('sanitise reads check boxes at the head of an item as a task, and drops every other field', () => {
  const html =
    '<ul><li><input type="checkbox" checked disabled> a</li><li><p><input type=checkbox> b</p></li></ul><input value="x">';
  expect(sanitise(html)).toBe('<ul><li data-checked="true">a</li><li data-checked="false"><p>b</p></li></ul>');
});

it('sanitise takes the prefix of GitHub from the ids of footnotes', () => {
  const ours = '<li id="fn-a"><a href="#fnref-a">x</a></li>';
  expect(sanitise(ours.replaceAll('fn', 'user-content-fn'))).toBe(ours);
});

it('sanitise changes nothing when it is applied again, whatever it is given', () => {
  const tags = [...Object.keys(ALLOWED), ...DROPPED, 'b', 'div', 'span', 'input', 'math', 'x-y'];
  const attribute = fc.constantFrom(
    ...[' href="javascript:x"', ' href=//h', ' src=/a', ' class="language-x y"', ' id=fn-1', ' data-checked=true'],
    ...[' type=checkbox', ' checked', ' align=left', ' title="a>b"', ' start=1', ' onclick=x', " alt='<'"],
  );
  const piece = fc.oneof(
    fc
      .tuple(fc.constantFrom(...tags), fc.array(attribute, { maxLength: 3 }))
      .map(([tag, rest]) => `<${tag}${rest.join('')}>`),
    fc.constantFrom(...tags).map((tag) => `</${tag}>`),
    fc.constantFrom(' ', '\n', '&lt;', '&', '<', '>', '"', '<!--', '-->', ' />', '\u00a0', '<![CDATA[', ']]>', '&#0;'),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const once = sanitise(pieces.join(''));
      expect(sanitise(once)).toBe(once);
      expect(once).not.toMatch(/<(?:script|style|iframe|svg|input|div)\b|<[^>]*(?:\son\w+=|javascript:x")/i);
    }),
    { numRuns: 1000 },
  );
});
