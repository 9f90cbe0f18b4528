import { describe, expect, it } from 'vitest';
import { sanitise } from '#blog/content/sanitise.ts';
import { storedHtml } from '../conform.ts';
import { readMarkdown } from './markdown.ts';

const html = (markdown: string) => storedHtml(readMarkdown(markdown).tree);

describe('Markdown becomes the stored form', () => {
  it.each([
    ['tables with alignment', '| a | b |\n|:-:|--:|\n| 1 | 2 |', '<th align="center">a</th>\n<th align="right">b</th>'],
    ['tasks', '- [x] a\n- [ ] b', '<ul>\n<li data-checked="true">a</li>\n<li data-checked="false">b</li>\n</ul>'],
    [
      'code and its language',
      '```Rust,ignore\nlet a: &str;\n```',
      '<pre><code class="language-rust">let a: &amp;str;\n</code></pre>',
    ],
    [
      'a highlighted block of another renderer',
      '<div class="highlight"><pre class="lang-js"><span>let</span> a<br>b</pre></div>',
      '<pre><code class="language-js">let a\nb</code></pre>',
    ],
    [
      'footnotes, numbered whatever their names',
      'a[^ü]\n\n[^ü]: n',
      '<p>a<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup></p>',
    ],
    ['a list that begins elsewhere', '5. a\n6. b', '<ol start="5">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['blocks without meaning', '<div><p>a</p>b <b>c</b><p>d</p></div>', '<p>a</p><p>b <strong>c</strong></p><p>d</p>'],
    ['details', '<details><summary>a</summary>\n\nb\n\n</details>', '<p><strong>a</strong></p>\n<p>b</p>'],
    ['definition lists', '<dl><dt>a</dt><dd>b</dd></dl>', '<p><strong>a</strong></p><p>b</p>'],
    ['blocks in a cell, as lines', '<table><tr><td><p>a</p><p>b</p></td></tr></table>', '<td>a<br>b</td>'],
    [
      'a list in a cell, as lines',
      '<table><tr><td>x<ul><li>a</li><li>b</li></ul></td></tr></table>',
      '<td>x<br>a<br>b</td>',
    ],
    [
      'a film, as a link',
      '<iframe src="https://www.youtube.com/embed/abc?x=1"></iframe>',
      '<p><a href="https://www.youtube.com/watch?v=abc">https://www.youtube.com/watch?v=abc</a></p>',
    ],
    ['the style of a cell', '<table><tr><td style="text-align:right">a</td></tr></table>', '<td align="right">a</td>'],
    ['anchors without words', 'a <a name="x"></a>b', '<p>a b</p>'],
    ['scripts and comments', 'a<script>alert(1)</script>\n\n<!-- more -->\n\nb', '<p>a</p>\n\n<p>b</p>'],
  ])('%s', (_, markdown, stored) => {
    expect(html(markdown)).toContain(stored);
    expect(sanitise(html(markdown))).toBe(html(markdown));
  });

  it('leads links to headings that were named by hand', () => {
    expect(html('## Tools {#kit}\n\n[a](#kit) [b](#other)')).toBe(
      '<h2>Tools</h2>\n<p><a href="#tools">a</a> <a href="#other">b</a></p>',
    );
  });

  it('knows the first heading only where it comes first', () => {
    expect(readMarkdown('# A *b*\n\ntext').firstHeading).toBe('A b');
    expect(readMarkdown('text\n\n# A').firstHeading).toBeUndefined();
  });
});

describe('template calls', () => {
  it('of Jekyll, Hugo and Zola become what they stand for', () => {
    expect(html('{% highlight ruby linenos %}\nputs "`a`"\n{% endhighlight %}')).toBe(
      '<pre><code class="language-ruby">puts "`a`"\n</code></pre>',
    );
    expect(html('{{< figure src="a.png" title="T" >}}')).toBe(
      '<figure><img src="a.png" alt="T"><figcaption>T</figcaption></figure>',
    );
    expect(html('{{ youtube(id="abc") }}')).toContain('href="https://www.youtube.com/watch?v=abc"');
    expect(html('[a]({{< ref "b.md" >}}) [c]({% post_url 2020-01-02-d %})')).toBe(
      '<p><a href="b.md">a</a> <a href="/2020/01/02/d">c</a></p>',
    );
    expect(html('a\n{: .lead}')).toBe('<p>a</p>');
    expect(html('{% comment %}not shown{% endcomment %}a')).toBe('<p>a</p>');
  });

  it('in code stay as they are', () => {
    const code = '```yaml\ntoken: {{ steps.auth() }}\n{% raw %}\n```\n\n`{{< x >}}`\n\n    {% include a %}';
    for (const kept of ['{{ steps.auth() }}', '{% raw %}', '{{&lt; x >}}', '{% include a %}'])
      expect(html(code).replaceAll('&gt;', '>')).toContain(kept);
    expect(readMarkdown(code).unknown).toEqual([]);
  });

  it('that nobody knows are taken out and named', () => {
    const { tree, unknown } = readMarkdown('a {{< mystery x=1 >}}b{{< /mystery >}} {% include c.html %}');
    expect(storedHtml(tree)).toBe('<p>a b</p>');
    expect(unknown).toEqual(['{{< mystery x=1 >}}', '{% include c.html %}']);
  });
});
