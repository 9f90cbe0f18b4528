/**
 * `npm run bench -- lighthouse [--runs 5] [--pages home,post,author,search] [--look NAME] [--phone]`: runs Lighthouse
 * on an emulated phone and prints medians. Fails if a paint is late or, without `--phone`, a category is below 100.
 * `--phone` really throttles requests and the processor, and first measures two pages as lower bounds: one line of
 * text, and the sample post's HTML without styles, scripts or pictures.
 * Lighthouse's slow 4G delays each request's first byte by 3.75 round trips of 150 ms (DNS, TCP, TLS, request), even
 * on an open connection: https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { freePort } from '@common-ink/http/free-port.ts';
import lighthouse, { type Result } from 'lighthouse';
import { chromium } from 'playwright';
import { browserPath } from '../../scripts/test/browser.ts';
import { ownSite, removeSite } from '../e2e/site.ts';
import { close, listen } from '../support/gateway.ts';
import { median, table } from './figures.ts';
import { buildIfStale } from './filled-site.ts';
import { optionsOf } from './options.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Limits in milliseconds, with slow 4G and a processor throttled to a quarter of its speed. */
const FIRST_PAINT = 800;
const LARGEST_PAINT = 1400;

const values = optionsOf({ runs: 5, pages: 'home,post,author,search', look: 'ink', phone: false });
const { runs } = values;

/** Audits a page `runs` times. `devtools` throttles requests and the processor; `simulate` computes the delay. */
async function audit(port: number, url: string): Promise<Result[]> {
  const throttlingMethod = values.phone ? 'devtools' : 'simulate';
  const results: Result[] = [];
  for (let run = 0; run < runs; run++) {
    const flags = { port, output: 'json', logLevel: 'error', throttlingMethod } as const;
    const result = await lighthouse(url, { ...flags, onlyCategories: [...CATEGORIES] });
    const fault = result ? result.lhr.runtimeError?.message : 'no result';
    if (!result || fault) throw new Error(`Lighthouse could not judge ${url}: ${fault}`);
    results.push(result.lhr);
  }
  return results;
}

const scoreOf = (results: readonly Result[], name: string): number =>
  median(results.map(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100)));
const metricOf = (results: readonly Result[], id: string): number =>
  median(results.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN));

/** Returns the audits that lowered a category's score in any run by scoring below 0.9. */
function faultsOf(results: readonly Result[]): string[] {
  const faults = results.flatMap(({ categories, audits }) =>
    CATEGORIES.flatMap((name) =>
      (categories[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
        const audit = audits[id];
        if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) return [];
        return [`${name}: ${id} (${audit.displayValue ?? audit.title})`];
      }),
    ),
  );
  return [...new Set(faults)];
}

/** Returns the number of requests and the kilobytes transferred, both in total and for scripts. */
function weightOf(results: readonly Result[]): string[] {
  const details = results[0]?.audits['network-requests']?.details;
  const items = (details && 'items' in details ? details.items : []) as unknown as Record<string, unknown>[];
  const asked = items.filter(({ url }) => /^https?:/.test(String(url)));
  const kilobytes = (list: typeof asked) =>
    (list.reduce((sum, { transferSize }) => sum + Number(transferSize), 0) / 1024).toFixed(1);
  const scripts = asked.filter(({ resourceType }) => resourceType === 'Script');
  return [`${asked.length}`, kilobytes(asked), kilobytes(scripts)];
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

const rowOf = (name: string, results: readonly Result[]): string[] => [
  name,
  ...CATEGORIES.map((category) => `${scoreOf(results, category)}`),
  seconds(metricOf(results, 'first-contentful-paint')),
  seconds(metricOf(results, 'largest-contentful-paint')),
  `${metricOf(results, 'total-blocking-time').toFixed(0)} ms`,
  metricOf(results, 'cumulative-layout-shift').toFixed(3),
  ...weightOf(results),
];

const ONE_LINE =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>One line</title><link rel="icon" href="data:,"><p>One line of text.';

const bare = (html: string) =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<img\b[^>]*>/g, '')
    .replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="data:,">');

function serverOf(pages: Readonly<Record<string, string>>) {
  const bodies = new Map(Object.entries(pages).map(([path, html]) => [path, brotliCompressSync(html)]));
  return createServer(({ url = '' }, response) => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'br' };
    response.writeHead(bodies.has(url) ? 200 : 404, headers).end(bodies.get(url));
  });
}

buildIfStale();
const site = await ownSite();
await site.stop();
writeFileSync(join(site.dataDirectory, 'site.toml'), `look = "${values.look}"`);
await site.start();
execFileSync(process.execPath, [join(import.meta.dirname, '..', '..', 'scripts', 'seed.ts')], {
  env: { ...process.env, DATA_DIR: site.dataDirectory, PORT: new URL(site.url).port, EMBEDDED_RATE_LIMITS: 'off' },
  stdio: 'pipe',
});
// A sample post with a picture and about 5 KB of text.
const post = '/post/the-page-before-the-first-word';
const author = /\/author\/[\w.-]+/.exec(await (await fetch(site.url + post)).text())?.[0];
if (!author) throw new Error('The sample post names no author.');
const pages = { home: '/', post, author, search: '/search' };
const port = await freePort();
const browser = await chromium.launch({
  executablePath: browserPath(),
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', `--remote-debugging-port=${port}`],
});
try {
  const rows = [['', ...CATEGORIES, 'first paint', 'largest', 'blocking', 'shift', 'requests', 'KB', 'script KB']];
  if (values.phone) {
    const post = await (await fetch(site.url + pages.post)).text();
    const bounds = { '/line': ONE_LINE, '/bare': bare(post) };
    const floor = serverOf(bounds);
    const url = await listen(floor);
    for (const path of Object.keys(bounds)) rows.push(rowOf(path, await audit(port, url + path)));
    await close(floor);
  }
  const missed: string[] = [];
  const faults: string[] = [];
  for (const name of values.pages.split(',').filter((name): name is keyof typeof pages => name in pages)) {
    const url = site.url + pages[name];
    await (await fetch(url)).arrayBuffer();
    const results = await audit(port, url);
    rows.push(rowOf(name, results));
    faults.push(...faultsOf(results).map((fault) => `${name}: ${fault}`));
    if (!values.phone)
      missed.push(...CATEGORIES.filter((each) => scoreOf(results, each) < 100).map((each) => `${name}: ${each}`));
    if (metricOf(results, 'first-contentful-paint') > FIRST_PAINT) missed.push(`${name}: first paint`);
    if (metricOf(results, 'largest-contentful-paint') > LARGEST_PAINT) missed.push(`${name}: largest paint`);
  }
  console.log([table(rows), ...faults].join('\n'));
  console.log(missed.length === 0 ? `All targets met, medians of ${runs} runs.` : `Missed: ${missed.join(', ')}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await removeSite(site);
}
