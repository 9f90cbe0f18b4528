/**
 * `npm run bench -- lighthouse [--runs 5] [--pages home,post,author,search] [--phone]`: runs Lighthouse on a phone and
 * prints medians. Fails below 100 in any category. `--phone` measures paints with requests and processor really
 * throttled, after two pages as lower bounds: one line of text, and our post's HTML without style, script or picture.
 * Lighthouse's slow 4G delays each request's first byte by 3.75 round trips of 150 ms (DNS, TCP, TLS, request), even
 * on an open connection: https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { removeSite } from '../e2e/site.ts';
import { type Audit, CATEGORIES, openAuditor } from './audit.ts';
import { table } from './figures.ts';
import { seededSite } from './seeded-site.ts';

/** Limits in milliseconds on slow 4G with a four times slower processor. */
const FIRST_PAINT = 800;
const LARGEST_PAINT = 1400;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    runs: { type: 'string', default: '5' },
    pages: { type: 'string', default: 'home,post,author,search' },
    phone: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)}`;

function row(name: string, { scores, metrics, weight }: Audit): string[] {
  return [
    name,
    ...CATEGORIES.map((category) => `${scores[category]}`),
    seconds(metrics.firstPaint),
    seconds(metrics.largestPaint),
    `${metrics.blocking.toFixed(0)} ms`,
    metrics.shift.toFixed(3),
    `${weight.requests}`,
    kilobytes(weight.bytes),
    kilobytes(weight.scriptBytes),
  ];
}

const ONE_LINE =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>One line</title><link rel="icon" href="data:,"><p>One line of text.';

/** Returns the page's words and markup without styles, scripts and pictures. */
const bare = (html: string) =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<img\b[^>]*>/g, '')
    .replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="data:,">');

async function serve(pages: ReadonlyMap<string, string>): Promise<Server> {
  const bodies = new Map(Array.from(pages, ([path, html]) => [path, brotliCompressSync(html)]));
  const server = createServer(({ url = '' }, response) => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'br' };
    response.writeHead(bodies.has(url) ? 200 : 404, headers).end(bodies.get(url));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const { site, pages } = await seededSite();
const auditor = await openAuditor();
try {
  const names = values.pages.split(',').filter((name): name is keyof typeof pages => name in pages);
  const throttling = values.phone ? 'devtools' : 'simulate';
  const audits: (readonly [string, Audit])[] = [];
  if (values.phone) {
    const post = await (await fetch(site.url + pages.post)).text();
    const floor = await serve(
      new Map([
        ['/line', ONE_LINE],
        ['/bare', bare(post)],
      ]),
    );
    const url = `http://127.0.0.1:${(floor.address() as AddressInfo).port}`;
    audits.push(['(one line)', await auditor.audit(`${url}/line`, { runs, throttling })]);
    audits.push(['(bare post)', await auditor.audit(`${url}/bare`, { runs, throttling })]);
    floor.close();
    floor.closeAllConnections();
  }
  const others = audits.length;
  for (const name of names) {
    const url = site.url + pages[name];
    await (await fetch(url)).arrayBuffer();
    audits.push([name, await auditor.audit(url, { runs, throttling })]);
  }
  const head = ['', ...CATEGORIES, 'first paint', 'largest', 'blocking', 'shift', 'requests', 'KB', 'script KB'];
  console.log(table([head, ...audits.map(([name, audit]) => row(name, audit))]));
  const ours = audits.slice(others);
  for (const [name, { faults }] of ours) for (const fault of faults) console.log(`${name}: ${fault}`);
  const missed = ours.flatMap(([name, { scores, metrics }]) => [
    ...(values.phone ? [] : CATEGORIES.filter((category) => scores[category] < 100).map((each) => `${name}: ${each}`)),
    ...(metrics.firstPaint > FIRST_PAINT ? [`${name}: first paint`] : []),
    ...(metrics.largestPaint > LARGEST_PAINT ? [`${name}: largest paint`] : []),
  ]);
  console.log(missed.length === 0 ? `All targets met, medians of ${runs} runs.` : `Missed: ${missed.join(', ')}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await auditor.close();
  await removeSite(site);
}
