/** Texts that somebody wrote to keep the server busy: long, and of one thing alone. */
import { expect, test } from 'vitest';
import { CONTENT_MAX } from '../forms.ts';
import { portable } from './portable.ts';
import { renderContent } from './render.ts';
import { sanitise } from './sanitise.ts';
import { excerpt, textOf } from './text.ts';

const LENGTH = 400_000;
const full = (unit: string, before = '', after = '') =>
  before + unit.repeat((LENGTH - before.length - after.length) / unit.length) + after;

/** Milliseconds of the processor for one reading: some times what it takes, and a fraction of what it would, were it quadratic. */
const MOST = 6000;
async function milliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each([
  ['blanks before what might be a task', full(' ', '<li>')],
  ['blanks before a field that never ends', full('\t', '<li>', '<input')],
  ['the mark of footnotes, again and again', full('data-footnote-backref ', '<a href="x" title="', '"><b>x</b></a>')],
  ['headings that nobody ends', full('<h1>')],
  ['headings that are ended as others', full('<h1></h2>')],
  ['headings in headings', full('x', '<h2><b>'.repeat(240))],
  ['tables in captions', full('x ', '<table><caption>'.repeat(240))],
  ['tables in tables', full('<b>x</b>', '<table><tr><td>'.repeat(160))],
  ['quotes in quotes, each with something before the next', full('x ', '<blockquote><br>'.repeat(240))],
  ['signs that open nothing', full('<')],
  ['signs that refer to nothing', full('&')],
  ['comments that do not end', full('<!--')],
  ['pictures that are drawings that are styles', full('<svg><style>')],
  ['paragraphs', full('<p>')],
  ['cells', full('<td>x')],
])('%s cost moments', { timeout: 60_000 }, async (_what, html) => {
  expect(await milliseconds(() => renderContent(html))).toBeLessThan(MOST);
  for (const read of [
    sanitise,
    textOf,
    (text: string) => excerpt(text, 160),
    (text: string) => portable(text, 'http://a/'),
  ])
    expect(await milliseconds(() => read(html))).toBeLessThan(MOST);
});

test('code that a grammar reads for minutes costs a moment, and is all there', { timeout: 60_000 }, async () => {
  const block = (language: string, line: string) =>
    `<pre><code class="language-${language}">${`${line}\n`.repeat(19_000 / line.length)}</code></pre>`;
  await renderContent(block('groovy', 'x').slice(0, 500));
  for (const line of ['A'.repeat(1990), 'A'.repeat(490)]) {
    let html = '';
    const took = await milliseconds(async () => {
      html = (await renderContent(block('groovy', line).repeat(5))).html;
    });
    expect(took).toBeLessThan(MOST);
    expect(html.split('A').length).toBe(line.length * Math.floor(19_000 / line.length) * 5 + 1);
  }
});

test('digits in V, whose grammar would read them for years, are shown plain', async () => {
  const { html } = await renderContent(`<pre><code class="language-V">${'1'.repeat(200)}</code></pre>`);
  expect(html).toContain(`>${'1'.repeat(200)}</code>`);
});

test('of many languages some are coloured', async () => {
  const names =
    'ada awk bash c clojure cobol css d dart elm erlang go html ini java js json lua nix ocaml pascal perl php'.split(
      ' ',
    );
  const { html } = await renderContent(
    names.map((name) => `<pre><code class="language-${name}">"x" 1 if</code></pre>`).join(''),
  );
  expect(html.split('language-').length - 1).toBe(names.length);
  expect(html.split('<code class="language-').filter((block) => block.includes('tok-')).length).toBeLessThanOrEqual(20);
});

test('a page of headings in each other, or tables in captions, is not longer than they are', async () => {
  for (const html of [full('x', '<h2><b>'.repeat(240)), full('x ', '<table><caption>'.repeat(240))]) {
    const { html: page, headings } = await renderContent(html);
    expect(page.length + JSON.stringify(headings).length).toBeLessThan(2 * html.length);
  }
});

test('a text of more markup than any has keeps its words, in one way', () => {
  const cells = '<td>a &amp; "b" &lt;c&gt; d < e > f & g</td>'.repeat(31_000).slice(0, CONTENT_MAX);
  const words = sanitise(`<script>x</script><b title="a">${cells}`);
  expect(words.trim()).toMatch(/^x +a &amp; "b" &lt;c&gt; d &lt; e &gt; f &amp; g {2}a &amp;/);
  expect(words).not.toContain('<');
  expect(sanitise(words)).toBe(words);
  const references = sanitise('&'.repeat(300_000));
  expect(references).toBe('&amp;'.repeat(300_000));
  expect(sanitise(references)).toBe(references);
});

test('much markup is kept', () => {
  const table = `<table><tbody>${'<tr><td>a</td><td>b</td></tr>'.repeat(9_000)}</tbody></table>`;
  expect(sanitise(table)).toBe(table);
});
