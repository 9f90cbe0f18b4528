import type { Root } from 'hast';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../tests/faults/random.ts';
import { sanitise } from './sanitise.ts';
import { readStored } from './stored-form.ts';
import { parseHtml } from './tree.ts';
import { writeHtml } from './write-html.ts';

/** Compares as text, because a parser adds its own fields to the root. */
const shown = ({ children }: Root) => JSON.stringify(children);

function theLongWay(html: string) {
  const clean = sanitise(html);
  return { html: clean, tree: shown(parseHtml(clean)) };
}
function read(html: string) {
  const { html: clean, tree } = readStored(html);
  return { html: clean, tree: shown(tree) };
}

const IN_STORED_FORM = [
  '<h2>Ink &amp; paper</h2><p>On <em>thin <strong>paper</strong></em>, "quoted" &lt;here&gt;.<br>Then</p>',
  '<p><a href="https://a.example/?a=1&amp;b=2" title="&quot;x&quot;">a</a> <a href="/post/x">b</a> <a href="#fn-1">c</a></p>',
  '<p><img src="/a.png" alt="" width="1200" height="800"></p><figure><img src="https://a.example/b" alt="b"><figcaption>c</figcaption></figure>',
  '<pre><code class="language-rust">fn a() -&gt; &amp;str {\n}\n</code></pre>',
  '<ol start="3"><li><p>a</p><ul><li data-checked="true">b</li></ul></li></ol>',
  '<table><caption>t</caption><thead><tr><th align="left">a</th></tr></thead>\n<tbody><tr><td colspan="2">b</td></tr></tbody></table>',
  '<section data-footnotes=""><ol><li id="fn-1"><p>n <a href="#fnref-1" data-footnote-backref="">b</a></p></li></ol></section>',
  '<blockquote><p>a</p><hr><p>\u00a0漢字 👩‍👩‍👧</p></blockquote>',
  '',
];

const IN_ANOTHER_FORM = [
  // A browser would nest these differently.
  '<p>a<p>b</p></p>',
  '<p>a<ul><li>b</li></ul></p>',
  '<table><tr><td>a</td></tr></table>',
  '<table>words<tbody></tbody></table>',
  '<a href="/a">a<em><a href="/b">b</a></em></a>',
  '<pre>\n\na</pre>',
  '<h2>a<h3>b</h3></h2>',
  '<ul><p>a</p></ul>',
  '<li>a</li>',
  // The sanitiser would write these differently.
  '<p>a &nbsp; &copy; &quot; > b</p>',
  '<b>a</b><p class="x" onclick="y()">b</p>',
  '<p>a</em></p><p>b',
  '<a href=\'/a\'>a</a><a title="a" href="/b">b</a><a href="">c</a>',
  '<img alt="a"><img src="/a" width="0">',
  '<section><p>a</p></section>',
  '<P>a</P><p >b</p>',
  '<p>a\r\nb\0c</p>',
  // These names exist on every object's prototype.
  '<constructor class="a">a</constructor><p constructor="b">b</p>',
];

describe('stored HTML is read as the sanitiser and a parser read it', () => {
  test.each(IN_STORED_FORM)('in the stored form: %s', (html) => {
    expect(read(html)).toEqual({ ...theLongWay(html), html });
    expect(writeHtml(readStored(html).tree)).toBe(html.replaceAll('&gt;', '>'));
  });

  test.each(IN_ANOTHER_FORM)('in another: %j', (html) => {
    expect(read(html)).toEqual(theLongWay(html));
  });

  test('whatever is nested in whatever', () => {
    const random = createRandom(7);
    for (let i = 0; i < 5000; i++) {
      const html = randomHtml(random);
      expect(read(html), html).toEqual(theLongWay(html));
    }
  });

  test('however deep', () => {
    for (const depth of [40, 48, 49, 50, 51, 120, 600]) {
      const html = `${'<blockquote>'.repeat(depth)}<p>a</p>${'</blockquote>'.repeat(depth)}`;
      expect(read(html), `${depth}`).toEqual(theLongWay(html));
    }
  });
});

test.each([
  'javascript:a()',
  ' javascript:a()',
  'java\tscript:a()',
  'JAVASCRIPT:a()',
  'data:text/html,a',
  'vbscript:a',
  '\u0001javascript:a()',
  'blob:https://a',
])('no address leads to a script: %j', (address) => {
  const { tree } = readStored(`<p><a href="${address}">a</a><img src="${address}" alt="b"></p>`);
  expect(writeHtml(tree)).not.toMatch(/script:|data:|blob:/i);
});

const TAGS =
  'p h2 strong em del u code pre blockquote ol ul li a img figure figcaption table caption tbody tr th td hr br section div b'.split(
    ' ',
  );
const WORDS = ['a', ' ', '\n', '&amp;', '&lt;b&gt;', 'é', 'x > y', '&nbsp;', '<', '&amp;copy;'];
/** Usual children of an element, so that some of the texts resemble a writer's. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  ul: ['li'],
  ol: ['li'],
  table: ['tbody', 'caption'],
  tbody: ['tr'],
  tr: ['td', 'th'],
  p: ['strong', 'em', 'a', 'code', 'img', 'br'],
  pre: ['code'],
  figure: ['img', 'figcaption'],
};
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  code: [' class="language-rust"', ' class="x"'],
  ol: [' start="2"', ' start="02"'],
  li: [' data-checked="true"', ' data-checked="x"', ' id="fn-1"'],
  a: [' href="/x"', ' href="#fn-1"', ' href="x:y"', ' href="//x"', ' title="a &quot;b&quot;"'],
  img: [' src="/a.png" alt=""', ' src="/a.png" alt="x" width="010"', ' alt="x"'],
  td: [' align="left"', ' align="LEFT"', ' colspan="2" rowspan="3"'],
  section: [' data-footnotes=""'],
};

function randomHtml(random: Random, depth = 0, names: readonly string[] = TAGS): string {
  if (depth > 5 || random.chance(0.3)) return random.pick(random.chance(0.7) ? WORDS.slice(0, 6) : WORDS);
  const name = random.pick(names);
  const attributes = random.chance(0.7) ? random.pick(ATTRIBUTES[name] ?? ['']) : '';
  if (name === 'br' || name === 'hr' || name === 'img') return `<${name}${attributes}>`;
  const inner = Array.from({ length: random.integer(0, 3) }, () =>
    randomHtml(random, depth + 1, random.chance(0.9) ? (USUAL[name] ?? TAGS) : TAGS),
  );
  return `<${name}${attributes}>${inner.join('')}${random.chance(0.99) ? `</${name}>` : ''}`;
}
