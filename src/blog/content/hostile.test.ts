/** Texts that somebody wrote to keep the server busy: long, and of one thing alone. */
import { expect, test } from 'vitest';
import { fieldMessages } from '../forms/field-messages.ts';
import { CONTENT_MAX, postSchema } from '../forms/forms.ts';
import { feedHtml } from './feed-html.ts';
import { MOST_TAGS, tagsIn } from './markup-limit.ts';
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
    (text: string) => feedHtml(text, 'http://a/'),
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

/** Milliseconds that are measured at least: the system may count in steps of four. */
const LEAST = 40;

/** Milliseconds of this thread's processor for each of two works in turn: their medians, so that noise falls on both. */
async function medians(...works: readonly [() => unknown, ...(() => unknown)[]]): Promise<number[]> {
  const times: number[][] = works.map(() => []);
  const repeated = async (work: () => unknown, count: number) => {
    for (let i = 0; i < count; i++) await work();
  };
  let repeats = 1;
  while ((await milliseconds(() => repeated(works[0], repeats))) < LEAST) repeats *= 2;
  for (let i = 0; i < 5; i++) {
    for (const [which, work] of works.entries()) {
      const before = process.threadCpuUsage();
      await repeated(work, repeats);
      const { user, system } = process.threadCpuUsage(before);
      times[which]?.push((user + system) / 1000);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[2] ?? Number.NaN);
}

const some = (count: number, unit: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => unit(i)).join('');

test.each<[what: string, text: (n: number) => string]>([
  ['list items', (n) => `<ul>${some(4 * n, () => '<li>a</li>')}</ul>`],
  ['table cells', (n) => `<table><tbody><tr>${some(4 * n, () => '<td>a</td>')}</tr></tbody></table>`],
  ['tables', (n) => some(n, () => '<table><tbody><tr><td>a</td></tr></tbody></table>')],
  ['headings', (n) => some(4 * n, () => '<h2>a</h2>')],
  [
    'footnotes',
    (n) =>
      `<p>${some(n, (i) => `<sup><a href="#fn-${i}" id="fnref-${i}" data-footnote-ref>${i}</a></sup>`)}</p>` +
      `<section data-footnotes><ol>${some(n, (i) => `<li id="fn-${i}">n <a href="#fnref-${i}" data-footnote-backref>b</a></li>`)}</ol></section>`,
  ],
  ['links', (n) => `<p>${some(4 * n, (i) => `<a href="https://a.test/${i}">x</a> `)}</p>`],
  ['pictures side by side', (n) => `<p>${some(8 * n, (i) => `<img src="/${i}.png" alt="">`)}</p>`],
  ['blocks of code', (n) => some(n, () => '<pre><code class="language-js">let a;</code></pre>')],
  ['quotes in quotes', (n) => some(n / 25, () => `${'<blockquote>'.repeat(99)}א${'</blockquote>'.repeat(99)}`)],
  ['paragraphs from right to left', (n) => some(4 * n, () => '<p>שלום abc</p>')],
  ['references', (n) => `<p>${'&lt;'.repeat(50 * n)}</p>`],
])('twice as many %s take twice as long', { timeout: 120_000, retry: 2 }, async (_what, text) => {
  const [single, double] = [text(700), text(1400)];
  expect(tagsIn(double)).toBeLessThanOrEqual(MOST_TAGS);
  for (const read of [renderContent, (html: string) => feedHtml(html, 'https://a.test/')]) {
    const once = () => read(double);
    // As much at once as the other, so that what the collector takes is the same.
    const twice = async () => {
      await read(single);
      await read(single);
    };
    await once();
    const [whole = 0, halves = 0] = await medians(once, twice);
    expect((2 * whole) / halves).toBeLessThan(2.6);
  }
});
