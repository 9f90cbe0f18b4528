/**
 * `npm run bench -- compare [--runs 3]`: what a phone fetches for one post of the same text, here and in the default
 * themes of Hexo, VitePress (npm), Jekyll (Debian: `apt install jekyll jekyll-theme-minima`) and WordPress (Debian, see
 * `wordpress.ts`), in the same run. Their sites are built in a temporary folder and served compressed, as ours is. Writes
 * the table of `docs/compare.md`.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { storedHtml } from '#transfer/html/conform.ts';
import { readMarkdown } from '#transfer/markdown/markdown.ts';
import { removeSite } from '../e2e/site.ts';
import { type Audit, type Auditor, CATEGORIES, openAuditor } from './audit.ts';
import { table } from './figures.ts';
import { seededSite } from './seeded-site.ts';
import { startWordPress } from './wordpress.ts';

const { values } = parseArgs({ args: process.argv.slice(3), options: { runs: { type: 'string', default: '3' } } });
const SEEDS = join(import.meta.dirname, '..', '..', 'scripts', 'seed', 'posts');
/** The sample post that is looked at on our side. */
const source = readFileSync(join(SEEDS, 'the-page-before-the-first-word.md'), 'utf8');
const TITLE = 'The page before the first word';
const text = source.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/!\[[^\]]*\]\([^)]*\)/g, '');
const post = (front = '') => `---\ntitle: ${TITLE}\ndate: 2026-11-12 07:40:00\n${front}---\n\n${text}`;

const folder = mkdtempSync(join(tmpdir(), 'common-ink-compare-'));
const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CI: '1' } });
function place(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(folder, name);
  for (const [path, body] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), body);
  }
  return root;
}
const versionOf = (root: string, name: string): string =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
const install = (root: string, ...packages: string[]) =>
  run(root, 'npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...packages);

interface Built {
  readonly name: string;
  /** Of the files to serve. */
  readonly root: string;
  /** Path of the post. */
  readonly post: string;
}

function hexo(): Built {
  const root = place('hexo', {
    'package.json': '{"name":"site","version":"0.0.0","private":true,"hexo":{"version":""}}',
    '_config.yml':
      'title: Common Ink\nurl: http://localhost\npermalink: post/\ntheme: landscape\nsource_dir: source\npublic_dir: public\n',
    'source/_posts/post.md': post(),
  });
  const parts = ['renderer-marked', 'renderer-ejs', 'renderer-stylus', 'generator-index', 'generator-archive'];
  install(root, 'hexo', 'hexo-theme-landscape', ...parts.map((part) => `hexo-${part}`));
  run(root, 'npx', 'hexo', 'generate');
  return { name: `Hexo ${versionOf(root, 'hexo')}, Landscape`, root: join(root, 'public'), post: '/post/' };
}

function vitepress(): Built {
  const root = place('vitepress', {
    'package.json': '{"name":"site","version":"0.0.0","private":true,"type":"module"}',
    '.vitepress/config.js': "export default { title: 'Common Ink', description: 'A blog' };\n",
    'index.md': '# Common Ink\n',
    'post/index.md': `# ${TITLE}\n\n${text}`,
  });
  install(root, 'vitepress');
  run(root, 'npx', 'vitepress', 'build');
  return { name: `VitePress ${versionOf(root, 'vitepress')}`, root: join(root, '.vitepress', 'dist'), post: '/post/' };
}

function jekyll(): Built {
  const root = place('jekyll', {
    '_config.yml': 'title: Common Ink\ntheme: minima\npermalink: /post/\nplugins: [jekyll-feed, jekyll-seo-tag]\n',
    '_posts/2026-11-12-post.md': post('layout: post\n'),
  });
  run(root, 'jekyll', 'build', '--future');
  const version = execFileSync('jekyll', ['--version'], { encoding: 'utf8' }).trim().split(' ').at(-1);
  return { name: `Jekyll ${version}, Minima`, root: join(root, '_site'), post: '/post/' };
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
};

async function serve(root: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const path = normalize(decodeURIComponent(pathname));
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    try {
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      const body = readFileSync(file);
      const isText = /text|svg|xml/.test(type);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
      response.writeHead(200, { 'Content-Type': type, ...(isText && { 'Content-Encoding': 'br' }) });
      response.end(isText ? brotliCompressSync(body, { params }) : body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
const row = (name: string, { scores, metrics, weight }: Audit) => [
  name,
  `${weight.requests}`,
  kilobytes(weight.bytes - weight.imageBytes),
  kilobytes(weight.scriptBytes),
  kilobytes(weight.fontBytes),
  CATEGORIES.map((category) => scores[category]).join(' / '),
  `${(metrics.firstPaint / 1000).toFixed(2)} s`,
  metrics.shift.toFixed(3),
];

async function wordPress(runs: number, auditor: Auditor): Promise<void> {
  try {
    const { name, url, stop } = await startWordPress(folder, TITLE, storedHtml(readMarkdown(text).tree));
    try {
      rows.push(row(name, await auditor.audit(url, { runs })));
    } finally {
      await stop();
    }
  } catch (error) {
    console.error(`WordPress could not be built: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

const rows = [['', 'requests', 'KB without pictures', 'script KB', 'fonts KB', 'Lighthouse', 'first paint', 'shift']];
try {
  const others = [hexo, vitepress, jekyll].flatMap((build) => {
    try {
      return [build()];
    } catch (error) {
      console.error(`${build.name} could not be built: ${(error as Error).message.split('\n')[0]}`);
      process.exitCode = 1;
      return [];
    }
  });
  const { site, pages } = await seededSite();
  const auditor = await openAuditor();
  const runs = Number(values.runs);
  try {
    await (await fetch(site.url + pages.post)).arrayBuffer();
    rows.push(row('Common Ink', await auditor.audit(site.url + pages.post, { runs })));
    for (const { name, root, post } of others) {
      const server = await serve(root);
      const { port } = server.address() as AddressInfo;
      rows.push(row(name, await auditor.audit(`http://127.0.0.1:${port}${post}`, { runs })));
      server.close();
      server.closeAllConnections();
    }
    await wordPress(runs, auditor);
  } finally {
    await auditor.close();
    await removeSite(site);
  }
  console.log(table(rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
