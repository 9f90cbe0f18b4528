/**
 * `npm run bench -- corpus --folder DIR [--old-site URL]`: imports a folder of Markdown into a site of its own and looks
 * at every page of it in a browser. Names each file that did not become a post, with the reason. Fails where a file
 * could not be taken or its post has no page, HTML is invalid, a page is wider than a phone of 360 pixels, or a link or
 * a picture of the site leads nowhere.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright';
import type { Result } from '#transfer/write/write.ts';
import { buildIsStale } from '../../scripts/build-stamp.ts';
import { browserPath } from '../../scripts/test/browser.ts';
import { htmlFaults } from '../e2e/html-faults.ts';
import { ownSite, removeSite } from '../e2e/site.ts';
import { table } from './figures.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
const AT_ONCE = 3;
/** Named with the result: worth a look by eye. */
const LONGEST = 10;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { folder: { type: 'string' }, 'old-site': { type: 'string' }, keep: { type: 'boolean', default: false } },
});
if (!values.folder) throw new Error('Name a folder of Markdown: --folder DIR');

interface Seen {
  readonly path: string;
  readonly bytes: number;
  readonly faults: readonly string[];
  readonly links: readonly string[];
}

/** What one page asks of the site, and what is wrong with it. */
async function look(page: Page, url: string, path: string): Promise<Seen> {
  const html = await (await fetch(url + path)).text();
  const faults = (await htmlFaults(html)).map((fault) => `invalid: ${fault}`);
  const answer = await page.goto(url + path, { waitUntil: 'domcontentloaded' });
  if (answer?.status() !== 200) faults.push(`answered ${answer?.status()}`);
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const shown = [...document.querySelectorAll('main a[href], main img[src]')];
    const fragments = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="#"]')];
    return {
      tooWide: scrollWidth - clientWidth,
      addresses: shown.map((each) => (each as HTMLImageElement).src || (each as HTMLAnchorElement).href),
      lost: fragments
        .map(({ hash }) => decodeURIComponent(hash.slice(1)))
        .filter((id) => id !== '' && !document.getElementById(id)),
    };
  });
  if (found.tooWide > 0) faults.push(`${found.tooWide} pixels wider than the screen`);
  faults.push(...found.lost.map((id) => `no part is named #${id}`));
  const links = found.addresses
    .filter((address) => address.startsWith(url))
    .map((address) => address.split('#')[0] ?? '');
  return { path, bytes: html.length, faults, links };
}

if (buildIsStale()) execFileSync(process.execPath, [join(SCRIPTS, 'build.ts')], { stdio: 'inherit' });
const site = await ownSite();
const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
try {
  const author = ['--author', 'corpus@example.com', '--create-author', 'Corpus'];
  const old = values['old-site'] ? ['--old-site', values['old-site']] : [];
  const environment = { ...process.env, DATA_DIR: site.dataDirectory, PORT: new URL(site.url).port };
  const report = join(site.dataDirectory, 'import.json');
  const given = ['markdown', values.folder, ...author, ...old, '--report', report];
  execFileSync(process.execPath, [join(SCRIPTS, 'import.ts'), ...given], {
    env: { ...environment, EMBEDDED_RATE_LIMITS: 'off' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const files: readonly Result[] = JSON.parse(readFileSync(report, 'utf8'));
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text();
  const paths = Array.from(sitemap.matchAll(/<loc>([^<]+)<\/loc>/g), ([, address = '']) => new URL(address).pathname);
  const context = await browser.newContext({ viewport: { width: 360, height: 800 } });
  // Pictures of other sites are not ours to judge, and this machine may not reach them.
  await context.route(
    (address) => address.origin !== site.url,
    (route) => route.abort(),
  );
  const seen: Seen[] = [];
  const left = [...paths];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const page = await context.newPage();
      for (let path = left.pop(); path !== undefined; path = left.pop()) seen.push(await look(page, site.url, path));
    }),
  );
  const asked = new Map<string, number>();
  for (const address of new Set(seen.flatMap(({ links }) => links))) {
    const answer = await fetch(address, { redirect: 'follow' });
    await answer.arrayBuffer();
    asked.set(address, answer.status);
  }
  const broken = seen.flatMap(({ path, links }) =>
    [...new Set(links)].filter((link) => (asked.get(link) ?? 0) >= 400).map((link) => `${path}: ${link} is broken`),
  );
  const posts = seen.filter(({ path }) => path.startsWith('/post/'));
  const shown = new Set(posts.map(({ path }) => path));
  const taken = files.filter(({ outcome }) => outcome === 'taken');
  const faults = [
    ...files.filter(({ outcome }) => outcome === 'failed').map(({ path, reason }) => `${path}: not taken, ${reason}`),
    ...taken.filter(({ slug }) => !shown.has(`/post/${slug}`)).map(({ path }) => `${path}: its post has no page`),
    ...seen.flatMap((each) => each.faults.map((fault) => `${each.path}: ${fault}`)),
    ...broken,
  ];
  console.log(
    table([
      ['files', 'pages', 'posts', 'links and pictures of the site', 'faults'],
      [files.length, seen.length, posts.length, asked.size, faults.length].map(String),
    ]),
  );
  for (const { path, reason } of files.filter(({ outcome }) => outcome === 'skipped'))
    console.log(`${path} is no post: ${reason}.`);
  for (const fault of faults) console.log(fault);
  const longest = posts.toSorted((a, b) => b.bytes - a.bytes).slice(0, LONGEST);
  console.log(
    `The longest: ${longest.map(({ path, bytes }) => `${path} (${Math.round(bytes / 1024)} KB)`).join(', ')}`,
  );
  if (faults.length > 0 || posts.length === 0) process.exitCode = 1;
  if (values.keep) {
    console.log(`${site.url} until Ctrl+C`);
    await new Promise((resolve) => process.once('SIGINT', resolve));
  }
} finally {
  await browser.close();
  await removeSite(site);
}
