/**
 * `npm run film`: films writing, publishing and editing a post on a temporary site with the sample posts, and writes
 * docs/film.avif and the still docs/screenshot.webp. Needs ffmpeg with libaom, which npm does not install.
 */
import './test/without-site-settings.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { postForm } from '../tests/e2e/post-form.ts';
import { ownSite } from '../tests/e2e/site.ts';
import { buildIfStale, ROOT } from './build-stamp.ts';
import { Camera } from './film/camera.ts';
import { BROWSER_FLAGS, browserPath } from './test/browser.ts';

const DOCS = join(ROOT, 'docs');
const PASSWORD = 'Correct-horse-1';
const VIEW = { viewport: { width: 1080, height: 800 }, deviceScaleFactor: 1.2, locale: 'en-GB' };
const ENCODER = ['-c:v', 'libaom-av1', '-crf', '34', '-cpu-used', '4', '-row-mt', '1', '-pix_fmt', 'yuv420p'];

if (spawnSync('ffmpeg', ['-version']).status !== 0) {
  console.error('ffmpeg is missing. On Debian and Ubuntu: apt-get install ffmpeg');
  process.exit(1);
}
buildIfStale();

await using site = await ownSite();
await site.command('seed', '--password', PASSWORD);
const browser = await chromium.launch({ executablePath: browserPath(), args: [...BROWSER_FLAGS] });
const still = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await still.goto(site.url, { waitUntil: 'networkidle' });
await sharp(await still.screenshot())
  .webp({ quality: 85 })
  .toFile(join(DOCS, 'screenshot.webp'));

const page = await browser.newPage(VIEW);
const camera = new Camera(page, mkdtempSync(join(tmpdir(), 'common-ink-film-')));
const form = postForm(page);
const banner = page.getByRole('banner');
const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).first();
const tool = (name: string) => page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name });
const evening = await sharp(join(import.meta.dirname, 'seed/pictures/hills.jpg'))
  .linear([0.55, 0.65, 0.95], [0, 5, 25])
  .jpeg()
  .toBuffer();

await page.goto(`${site.url}/login`);
await page.getByLabel('Email', { exact: true }).fill('writer@example.com');
await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
await page.keyboard.press('Enter');
await page.waitForURL(`${site.url}/`);
await camera.settle(banner.getByRole('link', { name: 'Add Post' }));
await camera.show(1500);

await camera.click(banner.getByRole('link', { name: 'Add Post' }));
await camera.settle(form.content);
await camera.show(700);
await camera.click(form.title);
await camera.type('The blue hour');
await camera.click(form.content);
await camera.type('Every evening the hills lend their colour to the sky.');
await page.keyboard.press('Enter');
await camera.click(tool('Heading H2'));
await camera.show(300);
await camera.type('How to see it');
await page.keyboard.press('Enter');
await camera.type('It lasts ');
await camera.click(tool('Italic'));
await camera.type('ten');
await camera.click(tool('Italic'));
await camera.type(' minutes. Look up.');
const chooser = page.waitForEvent('filechooser');
await camera.click(page.getByText('Choose a picture, or drop or paste one here'));
await (await chooser).setFiles({ name: 'evening.jpg', mimeType: 'image/jpeg', buffer: evening });
await camera.settle(page.getByText('evening.jpg'));
await camera.show(700);
await camera.reveal(form.submit);
await camera.click(form.submit);

await page.waitForURL('**/post/the-blue-hour');
await camera.settle(link('Edit'));
await camera.show(1800);
await camera.click(banner.getByRole('link', { name: 'Home', exact: true }));
await page.waitForURL(`${site.url}/`);
await camera.settle(link('The blue hour'));
await camera.show(1800);
await camera.click(link('The blue hour'));
await camera.settle(link('Edit'));
await camera.show(500);
await camera.click(link('Edit'));
await camera.settle(form.content);
await camera.show(600);
await camera.click(form.content.locator('em'), 2);
await camera.show(400);
await camera.type('twenty');
await camera.show(300);
await camera.reveal(form.submit);
await camera.click(form.submit);
await page.waitForURL('**/post/the-blue-hour');
await camera.settle(link('Edit'));
await camera.show(800);
await camera.reveal(page.getByText('minutes. Look up.'));
await camera.show(2500);
await browser.close();

const film = join(DOCS, 'film.avif');
const input = ['-f', 'concat', '-safe', '0', '-i', camera.list()];
execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, '-vsync', 'vfr', ...ENCODER, film], { stdio: 'inherit' });
console.log(`docs/film.avif: ${camera.seconds.toFixed(1)} s, ${Math.ceil(statSync(film).size / 1000)} KB`);
