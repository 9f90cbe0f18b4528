/**
 * `npm run bench -- editor [--keys 300] [--slower 4] [--build DIR,DIR]`: measures how soon a post of 150 kB can be
 * edited in the form, and the time from a key press until its letter is on the screen. Fails if, on a slowed-down
 * processor, the form takes more than 2.5 s or a letter more than 100 ms (p95), or if a letter takes more than 24 ms
 * (p95) at full speed. Builds take turns, so that other load affects all of them.
 */
import { resolve } from 'node:path';
import puppeteer, { type KeyInput, type Page } from 'puppeteer-core';
import { DIST } from '../../scripts/build-stamp.ts';
import { BROWSER_FLAGS, browserPath } from '../../scripts/test/browser.ts';
import { ownSite, removeSite, sessionCookie } from '../e2e/site.ts';
import { median, quantile, table } from './figures.ts';
import { buildIfStale } from './filled-site.ts';
import { optionsOf } from './options.ts';

const LENGTH = 150_000;
const READY_MS = 2500;
const PAINTED_MS = { slowed: 100, unslowed: 24 };
/** Visits per build and processor speed. The form's time is their median; each visit types a share of the keys. */
const VISITS = 5;

const { keys: keysInAll, slower, build: given } = optionsOf({ keys: 300, slower: 4, build: '' });

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

if (!given) buildIfStale();
const builds = given ? given.split(',').map((build) => resolve(build)) : [DIST];
const browser = await puppeteer.launch({ executablePath: browserPath(), headless: true, args: [...BROWSER_FLAGS] });

declare global {
  var isReady: Promise<number>;
}

const closePage = (page: Page): Promise<void> => page.browserContext().close();

/** Measures the milliseconds, by the page's clock, from navigation until the entire text is painted and editable. */
async function visit({ site, writer, path }: EditPosition, throttled: boolean) {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 1280, height: 900 });
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
  // Event Timing doesn't report events shorter than 16 ms, so each key without an entry counts as 8 ms.
  return [...slow, ...Array.from({ length: Math.max(0, keys - slow.length) }, () => 8)];
}

type EditPosition = Awaited<ReturnType<typeof openAt>>;

async function openAt(build: string) {
  const site = await ownSite({ build });
  const writer = await site.writer();
  const post = await site.post(writer, { content: longText() });
  const place = { build, site, writer, path: `/edit-post/${post.id}` };
  // This visit is not measured; it fills the server's caches.
  await closePage((await visit(place, false)).page);
  return place;
}

const places: EditPosition[] = [];
try {
  for (const build of builds) places.push(await openAt(build));
  const rows: string[][] = [['', 'ready', 'p95 of a letter']];
  let missed = false;
  for (const throttled of [false, true]) {
    const measured = places.map((place) => ({ place, readies: [] as number[], latencies: [] as number[] }));
    for (let time = 0; time < VISITS; time += 1) {
      for (const { place, readies, latencies } of measured) {
        const { page, ready } = await visit(place, throttled);
        readies.push(ready);
        const paragraphs = await page.$$('#content-editor > p');
        await paragraphs[Math.floor(paragraphs.length / 2)]?.click();
        latencies.push(...(await type(page, Math.ceil(keysInAll / VISITS))));
        await closePage(page);
      }
    }
    for (const { place, readies, latencies } of measured) {
      const [ready, painted] = [median(readies), quantile(latencies, 0.95)];
      const name = `${throttled ? `${slower} times slower` : 'this machine'}, ${place.build}`;
      rows.push([name, ...[ready, painted].map((each) => `${each.toFixed(0)} ms`)]);
      missed ||= throttled && ready > READY_MS;
      missed ||= painted > (throttled ? PAINTED_MS.slowed : PAINTED_MS.unslowed);
    }
  }
  console.log(table(rows));
  process.exitCode = missed ? 1 : 0;
} finally {
  await browser.close();
  for (const { site } of places) await removeSite(site);
}
