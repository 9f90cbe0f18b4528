/** Tests long repeated markup, which must not stall the server. `tests/attack/hostile-markup.ts` measures the times. */
import { expect, test } from 'vitest';
import { fieldMessages } from '../forms/field-messages.ts';
import { CONTENT_MAX, postSchema } from '../forms/forms.ts';
import { MOST_TAGS, tagsIn } from './markup-limit.ts';
import { renderContent } from './render.ts';
import { sanitise } from './sanitise.ts';

const LENGTH = 400_000;
const full = (unit: string, before = '', after = '') =>
  before + unit.repeat((LENGTH - before.length - after.length) / unit.length) + after;

test('code that a grammar would read for minutes is all there', async () => {
  for (const line of ['A'.repeat(1990), 'A'.repeat(490)]) {
    const block = `<pre><code class="language-groovy">${`${line}\n`.repeat(19_000 / line.length)}</code></pre>`;
    const { html } = await renderContent(block.repeat(5));
    expect(html.split('A').length).toBe(line.length * Math.floor(19_000 / line.length) * 5 + 1);
  }
});

test('digits in V, whose grammar would read them for years, are shown plain', async () => {
  const { html } = await renderContent(`<pre><code class="language-V">${'1'.repeat(200)}</code></pre>`);
  expect(html).toContain(`>${'1'.repeat(200)}</code>`);
});

test('of many languages some are coloured', async () => {
  const names =
    'ada awk bash c clojure cobol css d dart elm erlang go html ini java js json lua nix ocaml pascal perl php';
  const languages = names.split(' ');
  const blocks = languages.map((name) => `<pre><code class="language-${name}">"x" 1 if</code></pre>`);
  const { html } = await renderContent(blocks.join(''));
  expect(html.split('language-').length - 1).toBe(languages.length);
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

test('a text of as many tags as a text may have is shown as it is, and one of more as its words', async () => {
  const most = `<ol>${'<li>a</li>'.repeat(MOST_TAGS / 2 - 1)}</ol>`;
  expect(tagsIn(most)).toBe(MOST_TAGS);
  expect(sanitise(most) === most).toBe(true);
  const { html, words } = await renderContent(`${most}<br>`);
  expect([html.includes('<'), words]).toEqual([false, MOST_TAGS / 2 - 1]);
});

test('the form says what is too much, with the text as it is', () => {
  const form = (content: string) => ({ title: 'A', slug: 'a', content, status: 'active' });
  expect(fieldMessages(postSchema, form('<br>'.repeat(MOST_TAGS)))).toEqual({});
  const { content, ...others } = fieldMessages(postSchema, form('<br>'.repeat(MOST_TAGS + 1)));
  expect(others).toEqual({});
  expect(content).toMatch(/^The text has too many parts: about 10,001 .* at most 10,000 fit\. Split it/);
});
