/**
 * `npm run bench -- editor [--keys 300] [--slower 4] [--build DIR …]`: measures how soon a post of 150 kB can be
 * edited in the form, and the time from a key to its letter on the screen. Fails above 2.5 s for the form or 100 ms
 * for a letter (p95) on a slowed processor, or above 24 ms for a letter (p95) on the full one. Builds take turns, so
 * that other load affects all of them. The last lines show the browser's own cost on this machine, a lower bound for
 * any editor: a bare text field, an empty editable page, and the same text in one.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import puppeteer, { type KeyInput, type Page } from 'puppeteer-core';
import { DIST } from '../../scripts/build-stamp.ts';
import { BROWSER_FLAGS, browserPath } from '../../scripts/test/browser.ts';
import { ownSite, removeSite, sessionCookie } from '../e2e/site.ts';
import { median, quantile, table } from './figures.ts';
import { buildIfStale } from './filled-site.ts';

const LENGTH = 150_000;
const READY_MS = 2500;
const PAINTED_MS = { slowed: 100, unslowed: 24 };
/** Visits per text, of which the median counts. Each visit types a share of the keys. */
const VISITS = 5;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    keys: { type: 'string', default: '300' },
    slower: { type: 'string', default: '4' },
    build: { type: 'string', multiple: true, default: [] },
  },
});
const slower = Number(values.slower);
const keysInAll = Number(values.keys);

function longText(): string {
  const parts: string[] = [];
  for (let part = 1, length = 0; length < LENGTH; part += 1) {
    const html = partOf(part);
    parts.push(html);
    length += html.length;
  }
  return parts.join('');
}

function partOf(part: number): string {
  const words = `Ink spreads along the <em>fibres</em> until it meets the size that maker ${part} <a href="/x">brushed on</a>, because paper <strong>remembers</strong> every hand that touched it before morning came. `;
  const kinds = [
    `<ul>${'<li>an item of a list, of some words</li>'.repeat(5)}</ul>`,
    `<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>${'<tr><td>a cell</td><td>another</td></tr>'.repeat(4)}</tbody></table>`,
    `<pre><code class="language-js">${'const ink = paper + 1;\n'.repeat(6)}</code></pre>`,
    `<blockquote><p>${words}</p></blockquote>`,
  ];
  return `<h2>Part ${part}</h2>${`<p>${words.repeat(2).trim()}</p>`.repeat(3)}${kinds[part % kinds.length]}`;
}

if (values.build.length === 0) buildIfStale();
const builds = values.build.length > 0 ? values.build.map((build) => resolve(build)) : [DIST];
const browser = await puppeteer.launch({ executablePath: browserPath(), headless: true, args: [...BROWSER_FLAGS] });

declare global {
  var isReady: Promise<number>;
}

async function openPage(): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 1280, height: 900 });
  return page;
}

const closePage = (page: Page): Promise<void> => page.browserContext().close();

/** Measures the milliseconds from navigation until the whole text is painted and editable, by the page's clock. */
async function visit({ site, writer }: EditPosition, path: string, throttled: boolean) {
  const page = await openPage();
  await page.browserContext().setCookie(sessionCookie(site, writer));
  await page.goto(`${site.url}/favicon.svg`);
  await page.evaluate(() => localStorage.setItem('common-ink:session', '1'));
  if (throttled) await page.emulateCPUThrottling(slower);
  await page.evaluateOnNewDocument(() => {
    globalThis.isReady = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        // Checks attributes, because reading styles would force the page to compute them early.
        const text = document.querySelector('#content-editor[contenteditable=true]:not([hidden] *)');
        if (!text?.querySelector('h2')) return;
        observer.disconnect();
        // Resolves after the frame that shows the text.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      });
      observer.observe(document, { subtree: true, childList: true, attributeFilter: ['contenteditable', 'hidden'] });
    });
  });
  await page.goto(`${site.url}${path}`, { waitUntil: 'domcontentloaded' });
  return { page, ready: await page.evaluate(() => globalThis.isReady) };
}

async function clickMiddleOne(page: Page, selector: string): Promise<void> {
  const all = await page.$$(selector);
  await all[Math.floor(all.length / 2)]?.click();
}

/** Measures a page without our styles and scripts, slowed `rate` times: the browser's own cost. */
async function browserAlone(html: string, rate = slower): Promise<number[]> {
  const page = await openPage();
  await page.setContent(html);
  await page.emulateCPUThrottling(rate);
  await clickMiddleOne(page, 'textarea, p');
  const latencies = await type(page, keysInAll);
  await closePage(page);
  return latencies;
}
const editable = (html: string) => `<div contenteditable style="height:500px;overflow:auto">${html}</div>`;

/** Resolves when the fonts are loaded, and the page is idle and has had no long task for half a second. */
function rest(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    let quietSince = performance.now();
    const observer = new PerformanceObserver(() => {
      quietSince = performance.now();
    });
    observer.observe({ type: 'longtask' });
    while (performance.now() < quietSince + 500) await new Promise((resolve) => requestIdleCallback(resolve));
    observer.disconnect();
  });
}

/** Returns milliseconds from each key to the frame that shows its letter (Event Timing, in steps of 8). */
async function type(page: Page, keys: number): Promise<number[]> {
  await page.evaluate(() => {
    const durations = new Map<number, number>();
    Object.assign(window, { durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        const { interactionId, duration, name } = entry;
        if (!interactionId || !/^key(down|press)$|input/.test(name)) continue;
        durations.set(interactionId, Math.max(duration, durations.get(interactionId) ?? 0));
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await rest(page);
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press('abcdefghij klmno'.charAt(key % 16) as KeyInput);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 80)));
  }
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  const slow = await page.evaluate(() => [
    ...(window as unknown as { durations: Map<number, number> }).durations.values(),
  ]);
  // Event Timing doesn't report events shorter than 16 ms.
  return [...slow, ...Array.from({ length: Math.max(0, keys - slow.length) }, () => 8)];
}

function figures(latencies: readonly number[]): string[] {
  const [p50, p95, slowest] = [quantile(latencies, 0.5), quantile(latencies, 0.95), Math.max(...latencies)];
  return [`${latencies.length}`, ...[p50, p95, slowest].map((each) => `${each.toFixed(0)} ms`)];
}

type EditPosition = Awaited<ReturnType<typeof openAt>>;

async function openAt(build: string) {
  const site = await ownSite({ build });
  const writer = await site.writer();
  const [long, short] = [
    await site.post(writer, { content: longText() }),
    await site.post(writer, { content: partOf(1) }),
  ];
  const place = { build, site, writer, paths: { long: `/edit-post/${long.id}`, short: `/edit-post/${short.id}` } };
  // Fills the server's caches.
  await closePage((await visit(place, place.paths.long, false)).page);
  return place;
}

const places: EditPosition[] = [];
try {
  for (const build of builds) places.push(await openAt(build));
  const rows: string[][] = [['', 'ready', 'typed', 'p50', 'p95', 'slowest']];
  let missed = false;
  for (const [name, text, throttled] of [
    ['this machine', 'long', false],
    [`${slower} times slower`, 'long', true],
    ['… a short post', 'short', true],
  ] as const) {
    const measured = places.map((place) => ({ place, readies: [] as number[], latencies: [] as number[] }));
    for (let time = 0; time < VISITS; time += 1) {
      for (const { place, readies, latencies } of measured) {
        const { page, ready } = await visit(place, place.paths[text], throttled);
        readies.push(ready);
        await clickMiddleOne(page, '#content-editor > p');
        latencies.push(...(await type(page, Math.ceil(keysInAll / VISITS))));
        await closePage(page);
      }
    }
    for (const { place, readies, latencies } of measured) {
      const ready = median(readies);
      rows.push([
        builds.length > 1 ? `${name}, ${place.build}` : name,
        `${ready.toFixed(0)} ms`,
        ...figures(latencies),
      ]);
      if (text === 'short') continue;
      missed ||= throttled && ready > READY_MS;
      missed ||= quantile(latencies, 0.95) > (throttled ? PAINTED_MS.slowed : PAINTED_MS.unslowed);
    }
  }
  rows.push(['… the browser: a text field', '', ...figures(await browserAlone('<textarea rows="20">'))]);
  rows.push(['… an empty editable page', '', ...figures(await browserAlone(editable('<p>words</p>')))]);
  rows.push(['… this text in one', '', ...figures(await browserAlone(editable(longText())))]);
  rows.push(['… the same, not slowed', '', ...figures(await browserAlone(editable(longText()), 1))]);
  console.log(table(rows));
  process.exitCode = missed ? 1 : 0;
} finally {
  await browser.close();
  for (const { site } of places) await removeSite(site);
}
