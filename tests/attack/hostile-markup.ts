/** Measures the time to process texts of a single kind of markup, and whether twice the text takes twice as long. */
import { feedHtml } from '#blog/content/feed-html.ts';
import { renderContent } from '#blog/content/render.ts';
import { sanitise } from '#blog/content/sanitise.ts';
import { excerpt, textOf } from '#blog/content/text.ts';
import type { Attack } from './attack.ts';

const LENGTH = 400_000;
const full = (unit: string, before = '', after = '') =>
  before + unit.repeat((LENGTH - before.length - after.length) / unit.length) + after;
const grammar = (line: string) =>
  `<pre><code class="language-groovy">${`${line}\n`.repeat(19_000 / line.length)}</code></pre>`.repeat(5);

/** Texts for which any of the `READERS` would take minutes if its running time were quadratic. */
const SLOW: Readonly<Record<string, string>> = {
  'spaces before a task': full(' ', '<li>'),
  'tabs before a field that does not end': full('\t', '<li>', '<input'),
  'marks of footnotes': full('data-footnote-backref ', '<a href="x" title="', '"><b>x</b></a>'),
  'headings that do not end': full('<h1>'),
  'headings that end as others': full('<h1></h2>'),
  'nested headings': full('x', '<h2><b>'.repeat(240)),
  'tables in captions': full('x ', '<table><caption>'.repeat(240)),
  'nested tables': full('<b>x</b>', '<table><tr><td>'.repeat(160)),
  'nested quotes': full('x ', '<blockquote><br>'.repeat(240)),
  'signs that open nothing': full('<'),
  'signs that refer to nothing': full('&'),
  'comments that do not end': full('<!--'),
  'styles in drawings': full('<svg><style>'),
  paragraphs: full('<p>'),
  cells: full('<td>x'),
  'long lines of Groovy': grammar('A'.repeat(1990)),
  'lines of Groovy': grammar('A'.repeat(490)),
};

const some = (count: number, unit: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => unit(i)).join('');

/** Functions that return a text of `n` parts, within the markup limit. */
const LINEAR: Readonly<Record<string, (n: number) => string>> = {
  'list items': (n) => `<ul>${some(4 * n, () => '<li>a</li>')}</ul>`,
  'table cells': (n) => `<table><tbody><tr>${some(4 * n, () => '<td>a</td>')}</tr></tbody></table>`,
  tables: (n) => some(n, () => '<table><tbody><tr><td>a</td></tr></tbody></table>'),
  headings: (n) => some(4 * n, () => '<h2>a</h2>'),
  footnotes: (n) =>
    `<p>${some(n, (i) => `<sup><a href="#fn-${i}" id="fnref-${i}" data-footnote-ref>${i}</a></sup>`)}</p>` +
    `<section data-footnotes><ol>${some(n, (i) => `<li id="fn-${i}">n <a href="#fnref-${i}" data-footnote-backref>b</a></li>`)}</ol></section>`,
  links: (n) => `<p>${some(4 * n, (i) => `<a href="https://a.test/${i}">x</a> `)}</p>`,
  pictures: (n) => `<p>${some(8 * n, (i) => `<img src="/${i}.png" alt="">`)}</p>`,
  'blocks of code': (n) => some(n, () => '<pre><code class="language-js">let a;</code></pre>'),
  quotes: (n) => some(n / 25, () => `${'<blockquote>'.repeat(99)}א${'</blockquote>'.repeat(99)}`),
  'right-to-left paragraphs': (n) => some(4 * n, () => '<p>שלום abc</p>'),
  references: (n) => `<p>${'&lt;'.repeat(50 * n)}</p>`,
};

const FEED_ORIGIN = 'https://a.test/';
const READERS: Readonly<Record<string, (html: string) => unknown>> = {
  page: renderContent,
  sanitiser: sanitise,
  text: textOf,
  excerpt: (html) => excerpt(html, 160),
  feed: (html) => feedHtml(html, FEED_ORIGIN),
};

async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the ratio of the time for a text of double size to the time for a text of single size. */
async function growth(read: (html: string) => unknown, text: (n: number) => string): Promise<number> {
  const [single, double] = [text(700), text(1400)];
  const whole: number[] = [];
  const halves: number[] = [];
  await read(double);
  for (let i = 0; i < 9; i++) {
    whole.push(await processorMs(() => read(double)));
    halves.push((await processorMs(() => read(single))) + (await processorMs(() => read(single))));
  }
  // The shortest times are those without garbage collection.
  return (2 * Math.min(...whole)) / Math.min(...halves);
}

const SLOWEST = 'slowest reading of a hostile text, ms of the processor';
const MOST_GROWTH = 2.6;
const TRIES = 3;
const GROWTH = 'twice the text takes at most so many times as long';

export const attack: Attack = {
  title: 'texts of one kind of markup alone, read by each reader of content',
  limits: { [SLOWEST]: 6000, [GROWTH]: MOST_GROWTH },
  async run() {
    const slowest: [ms: number, what: string] = [0, ''];
    for (const [what, html] of Object.entries(SLOW)) {
      for (const [reader, read] of Object.entries(READERS)) {
        const ms = await processorMs(() => read(html));
        if (ms > slowest[0]) slowest.splice(0, 2, ms, `${what}, ${reader}`);
      }
    }
    const steepest: [times: number, what: string] = [0, ''];
    for (const [what, text] of Object.entries(LINEAR)) {
      for (const reader of ['page', 'feed'] as const) {
        let times = Number.POSITIVE_INFINITY;
        // A quadratic reader exceeds the limit every time; a linear one does so only sometimes, on a busy machine.
        for (let tries = 0; tries < TRIES && times > MOST_GROWTH; tries++)
          times = Math.min(times, await growth(READERS[reader] ?? renderContent, text));
        if (times > steepest[0]) steepest.splice(0, 2, times, `${what}, ${reader}`);
      }
    }
    return { [SLOWEST]: slowest[0], 'it is': slowest[1], [GROWTH]: steepest[0], 'they are': steepest[1] };
  },
};
