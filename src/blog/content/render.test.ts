import { expect, it } from 'vitest';
import { renderContent } from './render.ts';

const html = async (content: string, siteUrl?: string) =>
  (await renderContent(content, siteUrl ? { siteUrl } : {})).html;

it.each(['12 → 23', '23 → 23', '126 → 234', '33443 → 22332', '243 → 233', '3212 → 2223', '123456 → 234566'])(
  'leaves the title the only h1, and no gap below it: %s',
  async (levels) => {
    const [written = '', shown] = levels.split(' → ');
    const text = Array.from(written, (level) => `<h${level}>A</h${level}>`).join('');
    const { headings } = await renderContent(text);
    expect(headings.map(({ level }) => level).join('')).toBe(shown);
  },
);

it('names every heading once and puts an anchor beside it', async () => {
  const page = await renderContent("<h2>What's <em>new</em>?</h2><h2>What's new?</h2><h2>日本</h2><h2>!</h2>");
  expect(page.headings.map(({ id }) => id)).toEqual(['h-whats-new', 'h-whats-new-1', 'h-日本', 'h-section']);
  const anchor = '<a class="heading-anchor" href="#h-whats-new" aria-label="Link to';
  expect(page.html).toContain(`<h2 id="h-whats-new">What's <em>new</em>?</h2>${anchor}`);
});

it('leads links inside the text to its headings, as their writers name them', async () => {
  expect(await html('<p><a href="#What-new">x</a></p><h2>What new</h2>')).toContain('<a href="#h-what-new">x</a>');
  expect(await html('<p><a href="#%E0%A4%A">x</a></p>')).toContain('href="#%E0%A4%A"');
});

it('colours code by classes and never by style', async () => {
  const page = await html('<pre><code class="language-rs">fn main() { "x &lt; y" }</code></pre>');
  expect(page).toContain('<span class="tok-keyword">fn</span>');
  expect(page).toContain('data-language="Rust"');
  expect(page).toContain('<pre tabindex="0" role="group" aria-label="Code in Rust">');
  expect(page).not.toContain('style=');
});

it('shows code in an unknown language plain', async () => {
  const unknown = await html('<pre><code class="language-nonesuch">a &lt; b\n</code></pre>');
  expect(unknown).toContain('>a &lt; b\n</code></pre>');
  expect(await html('<pre><code class="language-constructor">a</code></pre>')).toContain('>a</code></pre>');
});

it('loses no character of code', async () => {
  const code = 'let a = 1;\n\n\tif (a < 2) { /* ü */ }   \n`x`\n';
  const page = await html(`<pre><code class="language-js">${code.replace('<', '&lt;')}</code></pre>`);
  expect(page.replace(/^.*?<code[^>]*>|<\/code>.*$|<\/?span[^>]*>/gs, '').replaceAll('&lt;', '<')).toBe(code);
});

it('aligns cells by an attribute that HTML allows, and says what a header heads', async () => {
  const row = '<tr><th>1</th><td align="center">2</td></tr>';
  expect(await html(`<table><tr><th align="right">a</th><th>b</th></tr>${row}</table>`)).toContain(
    '<tr><th scope="col" data-align="right">a</th><th scope="col">b</th></tr><tr><th scope="row">1</th><td data-align="center">2</td></tr>',
  );
});

it('lets tables and code scroll by themselves, focusable and without becoming landmarks', async () => {
  const page = await html('<table><caption>Prices</caption><tr><td>1</td></tr></table>');
  expect(page).toMatch(/^<div class="table-scroll" tabindex="0" role="group" aria-label="Table: Prices"><table>/);
});

it('loads pictures late, keeps their size and gives them an alt', async () => {
  const page = await html('<img src="/a.png" width="40" height="30">');
  expect(page).toBe('<img src="/a.png" width="40" height="30" alt="" loading="lazy" decoding="async">');
});

it('asks for pictures of other sites by https alone', async () => {
  const page = await html('<p><img src="http://other.test/a.png" alt="a"></p>', 'https://blog.test');
  expect(page).toContain('src="https://other.test/a.png"');
});

it('marks links that lead elsewhere', async () => {
  const addresses = ['https://other.test/x', 'https://blog.test/x', 'https://blog.test.evil/', '/d'];
  const page = await html(addresses.map((href) => `<a href="${href}">a</a>`).join(''), 'https://blog.test');
  const rels = Array.from(page.matchAll(/<a [^>]*>/g), ([tag]) => /rel="(.*)"/.exec(tag)?.[1]);
  expect(rels).toEqual(['noopener ugc', undefined, 'noopener ugc', undefined]);
});

it('names footnotes and tasks for those who do not see them', async () => {
  const page = await html(
    '<sup><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup><ul><li data-checked="true">a</li></ul><section data-footnotes><ol><li id="fn-1">n <a href="#fnref-1" data-footnote-backref>↩</a></li></ol></section>',
  );
  expect(page).toContain('aria-label="Footnote 1"');
  expect(page).toContain('aria-label="Back to reference 1"');
  expect(page).toContain('<section data-footnotes="" class="footnotes" aria-label="Footnotes">');
  expect(page).toContain('<input type="checkbox" disabled checked aria-label="Done"> a');
});

it('sets right-to-left text in its direction', async () => {
  // In right-to-left text, blocks with Latin letters get `dir` too. A block without letters inherits its direction.
  expect(await html('<p>שלום</p><p>hi.</p><p>1.</p>')).toBe('<p dir="auto">שלום</p><p dir="auto">hi.</p><p>1.</p>');
  expect(await html('<p>English words</p><p>שלום</p>')).toBe('<p>English words</p><p dir="auto">שלום</p>');
  expect(await html('<h2>שלום</h2>')).toMatch(/^<div class="heading heading-h2" dir="auto"><h2 id="[^"]+">שלום</);
  // A list or quote takes its direction from its first block, so that block gets no `dir`.
  expect(await html('<blockquote><p>שלום</p><p>שלום</p></blockquote>')).toBe(
    '<blockquote dir="auto"><p>שלום</p><p dir="auto">שלום</p></blockquote>',
  );
  expect(await html('<ul><li>שלום</li><li>hi</li><li>שלום</li></ul>')).toBe(
    '<ul dir="auto"><li>שלום</li><li>hi</li><li dir="auto">שלום</li></ul>',
  );
});

it('names no column by an empty corner', async () => {
  const head = '<thead><tr><th></th><th>Price</th></tr></thead><tbody><tr><th>Ink</th><td>1</td></tr></tbody>';
  const body = '</tr></thead><tbody><tr><th scope="row">Ink</th>';
  expect(await html(`<table>${head}</table>`)).toContain(`<tr><td></td><th scope="col">Price</th>${body}`);
});

it('keeps a picture no higher than a line among its words', async () => {
  const small = '<img src="https://a.test/i.png" alt="i" width="16" height="16">';
  expect(await html(`<p>a ${small} b</p>`)).toContain('class="in-line"');
  expect(await html(`<p>${small}</p>`)).not.toContain('class=');
  expect(await html(`<p>a ${small.replaceAll('16', '160')} b</p>`)).not.toContain('class=');
});

it('repairs what is badly nested, and runs no script', async () =>
  expect(await html('<p>a<table><tr><td>b</p><script>alert(1)</script>')).not.toMatch(/script|alert/));

it('counts the words of a heading and of the paragraph after it apart', async () => {
  const list = '<ul><li>one</li><li>two</li></ul>';
  const { words, minutes } = await renderContent(`<h2>Part</h2><p>The first of <em>two</em>s.</p>${list}`);
  expect([words, minutes]).toEqual([7, 1]);
});

it('tells the language of the text', async () => {
  const arabic = await renderContent('<p>ينتشر الحبر على طول الألياف حتى يلتقي بالغراء</p>');
  expect(arabic.language).toEqual({ code: 'ar', isRightToLeft: true });
  expect((await renderContent('<p>12 + 12</p>')).language).toBeUndefined();
});

it('finds a heading under the names that other tools give it', async () => {
  const links = '<a href="#what-s-new-in-c">there</a> <a href="#whats-new-in-c">too</a>';
  const page = await html(`<h2>What’s new in C++?</h2><p>${links}</p>`);
  expect(page.match(/href="#h-whats-new-in-c"/g)).toHaveLength(3);
});

it('shows words that stand between a table and its rows', async () =>
  expect(await html('<table>lost<tbody><tr><td>cell</td></tr></tbody></table>')).toMatch(/lost.*cell/s));

it.each(['div', 'blockquote', 'b', 'ul><li', 'table><tr><td'])('keeps the words of 600 KB of <%s>', async (tags) => {
  const opening = `<${tags}>`;
  const { html } = await renderContent(`<p>before</p>${opening.repeat(600_000 / opening.length)}inmost`);
  expect([html.includes('before'), html.includes('inmost')]).toEqual([true, true]);
});

it('keeps the markup of a text that is nested as deep as any is', async () => {
  const nested = (depth: number) => html(`${'<blockquote>'.repeat(depth)}<p>inmost</p>`);
  expect((await nested(300)).split('<blockquote>')).toHaveLength(301);
  const deeper = await nested(3000);
  expect(deeper.split('<blockquote>')).toHaveLength(501);
  expect(deeper).toContain('inmost');
});

it('makes room for numbers of three digits', async () => {
  const list = (start: number) => html(`<ol start="${start}"><li>one</li><li>and one</li></ol>`);
  expect(await list(98)).not.toContain('wide');
  expect(await list(99)).toContain('<ol start="99" class="wide">');
});
