import { expect, it } from 'vitest';
import { sanitise } from '#blog/content/sanitise.ts';
import { storedHtml } from '../html/conform.ts';
import { readMarkdown } from './markdown.ts';

const html = (markdown: string, mdx = false) => storedHtml(readMarkdown(markdown, { mdx }).tree);
const link = (href: string, words: string) => `<p><a href="${href}">${words}</a></p>`;
const code = (language: string, text: string) => `<pre><code class="language-${language}">${text}</code></pre>`;
const cell = (content: string) => `<table><tr><td>${content}</td></tr></table>`;

it.each([
  ['tables with alignment', '| a | b |\n|:-:|--:|\n| 1 | 2 |', '<th align="center">a</th>\n<th align="right">b</th>'],
  ['tasks', '- [x] a\n- [ ] b', '<ul>\n<li data-checked="true">a</li>\n<li data-checked="false">b</li>\n</ul>'],
  ['code and its language', '```Rust,ignore\nlet a: &str;\n```', code('rust', 'let a: &amp;str;\n')],
  ['a highlighted block', '<div><pre class="lang-js"><span>let</span> a<br>b</pre></div>', code('js', 'let a\nb')],
  ['footnotes', 'a[^ü]\n\n[^ü]: n', '<p>a<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup></p>'],
  ['a list that begins elsewhere', '5. a\n6. b', '<ol start="5">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['blocks without meaning', '<div><p>a</p>b <b>c</b><p>d</p></div>', '<p>a</p><p>b <strong>c</strong></p><p>d</p>'],
  ['details', '<details><summary>a</summary>\n\nb\n\n</details>', '<p><strong>a</strong></p>\n<p>b</p>'],
  ['definition lists', '<dl><dt>a</dt><dd>b</dd></dl>', '<ul><li><strong>a</strong><br>b</li></ul>'],
  ['definitions of blocks', '<dl><dt>a</dt><dd><p>b</p></dd></dl>', '<li><p><strong>a</strong></p><p>b</p></li>'],
  ['terms together', '<dl><dt>d</dt><dt>e</dt><dd>f</dd><dd>g</dd></dl>', 'd</strong><br><strong>e</strong><br>f<br>g'],
  ['blocks in a cell, as lines', cell('<p>a</p><p>b</p>'), '<td>a<br>b</td>'],
  ['a list in a cell, as lines', cell('x<ul><li>a</li><li>b</li></ul>'), '<td>x<br>a<br>b</td>'],
  ['the style of a cell', cell('a').replace('td', 'td style="text-align:right"'), '<td align="right">a</td>'],
  ['a link of a list', '<ul><a href="/x">a</a></ul>', '<ul><li><a href="/x">a</a></li></ul>'],
  ['words of a list', '<ol>a <em>b</em><li>c</li></ol>', '<ol><li>a <em>b</em></li><li>c</li></ol>'],
  ['a list of a list', '<ul><li>a</li><ul><li>b</li></ul></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['a paragraph of a list', '<ul><p>a</p><li>b</li></ul>', '<ul><li><p>a</p></li><li>b</li></ul>'],
  [
    'a caption below a picture',
    '<p><img src="/a.png" alt="a"></p>\n<figcaption><a name="x"></a>b</figcaption>',
    '<figure><img src="/a.png" alt="a"><figcaption>b</figcaption></figure>',
  ],
  ['a caption below words', '<p>a</p><figcaption>b</figcaption>', '<p>a</p><p>b</p>'],
  ['a caption in a cell', cell('a<figcaption>b</figcaption>'), '<td>a<br>b</td>'],
  ['a caption in an item', '<ul><li>a<figcaption>b</figcaption></li></ul>', '<li><p>a</p><p>b</p></li>'],
  ['anchors without words', 'a <a name="x"></a>b', '<p>a b</p>'],
  ['scripts and comments', 'a<script>alert(1)</script>\n\n<!-- more -->\n\nb', '<p>a</p>\n\n<p>b</p>'],
])('Markdown becomes the stored form: %s', (_, markdown, stored) => {
  expect(html(markdown)).toContain(stored);
  expect(sanitise(html(markdown))).toBe(html(markdown));
});

it('Markdown leads links to headings that were named by hand', () => {
  const links = '<p><a href="#tools">a</a> <a href="#other">b</a></p>';
  expect(html('## Tools {#kit}\n\n[a](#kit) [b](#other)')).toBe(`<h2>Tools</h2>\n${links}`);
});

it.each(['Video', 'iframe', 'Audio', 'Object', 'Script', 'Style', 'Title', 'Select', 'Textarea', 'Callout', 'div'])(
  'a self-closing <%s /> loses nothing of what follows it',
  (name) => {
    const text = `Before.\n\n<${name} src="./3.mp4" />\n\nAfter, **words**.`;
    for (const mdx of [false, true]) {
      const read = readMarkdown(text, { mdx });
      expect(storedHtml(read.tree)).toMatch(/^<p>Before.<\/p>[\s\S]*<p>After, <strong>words<\/strong>\.<\/p>$/);
      expect(read.words.map(({ word }) => word).join(' ')).toMatch(/^Before After words$/);
    }
  },
);

it('a self-closing element that is no void element is closed with values of JSX over several lines', () => {
  const iframe = '<iframe\n  style={{ width: "100%", b: 1 }}\n  src="https://a.example/b"\n/>';
  const { tree, words } = readMarkdown(`a\n\n${iframe}\n\nb`);
  expect(storedHtml(tree)).toBe(`<p>a</p>\n${link('https://a.example/b', 'a.example')}\n<p>b</p>`);
  expect(words.map(({ word }) => word)).toEqual(['a', 'b']);
});

it('a self-closing element that is no void element is closed within a line, too, and a link without quotes keeps its text', () => {
  expect(html('a <Badge kind="x"/> b <i/> c')).toBe('<p>a  b  c</p>');
  expect(html('<p><a href=/b/>to b</a> c</p>')).toBe('<p><a href="/b/">to b</a> c</p>');
});

const takenOff = (name: string) => `removed a tag that is not HTML and kept its content: <${name}>`;

it('components go, their text stays, and each is named once', () => {
  const text = '<Callout type="x">\n\nOne *two*.\n\n</Callout>\n\nA <Title>heading</Title> <Callout>in</Callout> it.';
  for (const mdx of [false, true]) {
    const { tree, notes } = readMarkdown(text, { mdx });
    expect(storedHtml(tree).replace(/\n+/g, '')).toBe('<p>One <em>two</em>.</p><p>A heading in it.</p>');
    expect(notes).toEqual(['Callout', 'Title'].map(takenOff));
  }
});

it('components of MDX read imports and values that stand in the file, and name those that do not', () => {
  const mdx = [
    'import Chart from "./chart"\nimport photo from \'./photo.png\'\nexport const year = 2020',
    'In {"this"} year{/* not shown */}, {year * 2}:',
    '<Chart data={{ a: 1 }} />',
    '<Image src={photo} alt="A photo" />',
    '<Note>one</Note>',
    '<Note>two</Note>',
  ].join('\n\n');
  const { tree, notes } = readMarkdown(mdx, { mdx: true });
  const stored = '<p>In this year, :</p><p><img src="./photo.png" alt="A photo"></p><p>one</p><p>two</p>';
  expect(storedHtml(tree).replace(/\n+/g, '')).toBe(stored);
  const left = 'left out a value that is known only when the page is built: {year * 2}';
  expect(notes).toEqual([left, ...['Chart', 'Note'].map(takenOff)]);
});

it('components of MDX that is broken are read as Markdown, with a note that says where', () => {
  const { tree, notes } = readMarkdown('a <!-- b --> c\n\n<Note>\n\nd', { mdx: true });
  expect(storedHtml(tree)).toBe('<p>a  c</p>\n\n<p>d</p>');
  expect(notes[0]).toMatch(/^it is not valid MDX, so it was read as Markdown \(line 1, .+\)$/);
});

const iframe = (src: string, more = '') => `<iframe ${more} src="${src}"></iframe>`;
const film = 'https://a.example/f/3.mp4';
const [youtube, pen] = ['https://www.youtube.com/watch?v=abc', 'https://codepen.io/ann/pen/xYz'];
it.each([
  [iframe('https://www.youtube.com/embed/abc?x=1'), youtube, 'Video (YouTube)'],
  [iframe('https://www.youtube-nocookie.com/embed/abc?x=1'), youtube, 'Video (YouTube)'],
  [iframe('//player.vimeo.com/video/12'), 'https://vimeo.com/12', 'Video (Vimeo)'],
  [iframe('https://codepen.io/ann/embed/xYz?height=1', 'title="A &amp; B"'), pen, 'A &amp; B'],
  [iframe('https://www.maps.example/a/b'), 'https://www.maps.example/a/b', 'maps.example'],
  [`<video controls><source src="${film}">No video here.</video>`, film, 'Video: 3.mp4'],
  ['<audio src="https://a.example/talk.mp3?x"></audio>', 'https://a.example/talk.mp3?x', 'Audio: talk.mp3'],
])('%s is a link with a title, and named', (written, href, title) => {
  const { tree, notes } = readMarkdown(`a\n\n${written}\n\nb`);
  expect(storedHtml(tree)).toBe(`<p>a</p>\n${link(href, title)}\n<p>b</p>`);
  expect(notes).toEqual([`replaced an embed with a link: ${href}`]);
});

it('what is embedded is no link in a link: one around it is named', () => {
  const { tree, notes } = readMarkdown(`<p><a href="https://x.test/">${iframe('https://v.test/1')}</a></p>`);
  expect(storedHtml(tree)).toBe(link('https://v.test/1', 'v.test'));
  const embedded = 'replaced an embed with a link: https://v.test/1';
  expect(notes).toEqual([embedded, 'removed a link around an embed: https://x.test/']);
});

it('what is embedded in the text itself, as data, is left out and named', () => {
  const { tree, notes } = readMarkdown(`a\n\n<video src="data:video/mp4,${'QUJD'.repeat(1000)}"></video>\n\nb`);
  expect(storedHtml(tree)).toMatch(/^<p>a<\/p>\n+<p>b<\/p>$/);
  expect(notes).toEqual(['left out a file embedded in the text: data:video/mp4 (3 kB)']);
});

const inline = (tex: string) => `<code class="language-math">${tex}</code>`;
const block = (tex: string) => `<pre>${inline(tex)}</pre>`;

it.each([
  ['Euler: $$e^{i\\pi} = -1$$', `<p>Euler: ${inline('e^{i\\pi} = -1')}</p>`],
  ['inline $\\frac{a}{b}$ it is', `<p>inline ${inline('\\frac{a}{b}')} it is</p>`],
  ['the $n$th of $x_1$, at $5 and $6', `<p>the ${inline('n')}th of ${inline('x_1')}, at $5 and $6</p>`],
  ['$$\nx^2\n\ny\n$$\n\nb', `${block('x^2\n\ny')}\n<p>b</p>`],
  ['a\n\n$$ x^2 = y $$\n\nb', `<p>a</p>\n${block('x^2 = y')}\n<p>b</p>`],
  ['$$x^2\n+ y$$\n\nb', `${block('x^2\n+ y')}\n<p>b</p>`],
  ['$a_1*b*c_1$ *d*', `<p>${inline('a_1*b*c_1')} <em>d</em></p>`],
])('%j is a formula', (markdown, stored) => expect(html(markdown)).toBe(stored));

it.each([
  'from $5 to $10',
  '$5 and $6',
  '$HOME and $PATH',
  '$PATH_A:$PATH_B',
  ['$', '{name}/$', '{other}'].join(''),
  'a$b^c$d',
  '\\$x^2\\$',
  '$ x^2 $',
  '$x^2$5',
  'US$1^2 and US$2',
])('%s is text, in a file without a formula', (markdown) =>
  expect(html(markdown)).toBe(`<p>${markdown.replaceAll('\\$', '$')}</p>`),
);

it('in a file with a formula, dollars with a space inside or a digit behind stay text', () =>
  expect(html('$x^2$ costs $5 or $6, $ a $ and $b$7')).toBe(`<p>${inline('x^2')} costs $5 or $6, $ a $ and $b$7</p>`));

it('mathematics in code is code, and a block that nobody closed swallows nothing', () => {
  const blocks = '<p><code>$$a^2$$</code></p>\n<pre><code>$$x^2$$\n</code></pre>';
  expect(html('`$$a^2$$`\n\n```\n$$x^2$$\n```')).toBe(blocks);
  expect(html('$x^2$\n\n$$\na\n\n*b*')).toBe(`<p>${inline('x^2')}</p>\n<p>$$\na</p>\n<p><em>b</em></p>`);
});

it('mathematics stands in MDX, braces and all', () =>
  expect(html('a $\\frac{a}{b}$ <b>c</b>', true)).toBe(`<p>a ${inline('\\frac{a}{b}')} <strong>c</strong></p>`));

it('mathematics loses no word', () => {
  const words = readMarkdown('Let $\\alpha_1$ be\n\n$$\nbeta^2\n$$').words.map(({ word }) => word);
  expect(words).toEqual(['Let', 'alpha', '1', 'be', 'beta', '2']);
});

it.each([
  ['{% highlight ruby linenos %}\nputs "`a`"\n{% endhighlight %}', code('ruby', 'puts "`a`"\n')],
  ['{{< figure src="a.png" title="T" >}}', '<figure><img src="a.png" alt="T"><figcaption>T</figcaption></figure>'],
  ['{{ youtube(id="abc") }}', expect.stringContaining('href="https://www.youtube.com/watch?v=abc"')],
  ['[a]({{< ref "b.md" >}})', link('b.md', 'a')],
  ['[c]({% post_url 2020-01-02-d %})', link('/2020/01/02/d', 'c')],
  ['a\n{: .lead}', '<p>a</p>'],
  ['{% comment %}not shown{% endcomment %}a', '<p>a</p>'],
])('the template call %s is what it stands for', (markdown, stored) => expect(html(markdown)).toEqual(stored));

it('template calls in code stay as they are', () => {
  const text = '```yaml\ntoken: {{ steps.auth() }}\n{% raw %}\n```\n\n`{{< x >}}`\n\n    {% include a %}';
  for (const kept of ['{{ steps.auth() }}', '{% raw %}', '{{&lt; x >}}', '{% include a %}'])
    expect(html(text).replaceAll('&gt;', '>')).toContain(kept);
  expect(readMarkdown(text).unknown).toEqual([]);
});

it('template calls that nobody knows are taken out and named', () => {
  const { tree, unknown } = readMarkdown('a {{< mystery x=1 >}}b{{< /mystery >}} {% include c.html %}');
  expect(storedHtml(tree)).toBe('<p>a b</p>');
  expect(unknown).toEqual(['{{< mystery x=1 >}}', '{% include c.html %}']);
});

it.each([
  ['Mermaid', '```mermaid\nA-->B\n```', code('mermaid', 'A--&gt;B\n')],
  ['a directive', ':::note[Ink]\nKeep *this*.\n:::\n\nb', '<p>:::note[Ink]\nKeep <em>this</em>.\n:::</p>\n<p>b</p>'],
  ['a wiki link', 'a [[Page|label]] b', '<p>a [[Page|label]] b</p>'],
  ['a mark', 'a ==marked== b', '<p>a ==marked== b</p>'],
  ['the code of an emoji', 'a :tada: b', '<p>a :tada: b</p>'],
  ['a definition list', 'Term\n: Definition', '<p>Term\n: Definition</p>'],
  ['a note of GitHub', '> [!NOTE]\n> Read', '<blockquote>\n<p>[!NOTE]\nRead</p>\n</blockquote>'],
  ['Nunjucks', '{% set x = 1 %}a {{ x }} b', '<p>a {{ x }} b</p>'],
  ['the address of the site', '[x]({{ site.url }}/y)', '<p><a href="/y">x</a></p>'],
])('extensions that few readers know lose no word: %s', (_, markdown, stored) => expect(html(markdown)).toBe(stored));
