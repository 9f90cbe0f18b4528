/** Every kind of damage to every file of the data folder: nothing is silent, wrong or waits for ever. */
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownSite, removeSite } from '../e2e/site.ts';
import { damageAndLook, damagesOf, documentsAt, type Seen, SITE_URL, type Sound, verdictOf } from './damaged-files.ts';

const DATABASE = 'backend/backend.sqlite';
const INDEX = 'pages/index.sqlite';
const folder = mkdtempSync(join(tmpdir(), 'damaged-files-'));
// Another user than root starts the server there, too.
chmodSync(folder, 0o711);
const entry = resolve(process.env.DAMAGES_BUILD ?? 'dist', 'server/entry.mjs');
let sound: Sound;
/** Names in the table by path in the folder. */
let files: Map<string, string>;

/** The first file below a folder of the data. */
function firstIn(inner: string): string {
  const names = readdirSync(join(sound.folder, inner), { recursive: true, encoding: 'utf8' }).sort();
  return join(inner, names.find((name) => statSync(join(sound.folder, inner, name)).isFile()) ?? '');
}

beforeAll(async () => {
  const site = await ownSite({ environment: { SITE_URL } });
  const writer = await site.writer();
  const { featuredImage } = await site.post(writer, {
    id: 'first',
    content: `<p>${'One of many words. '.repeat(400)}</p>`,
  });
  await site.post(writer, { id: 'second' });
  const paths = [
    '/',
    '/post/first',
    '/post/second',
    '/archive',
    `${new URL(site.view(featuredImage)).pathname}?project=common-ink`,
  ];
  const preview = /\/v1\/storage[^" ]+preview[^" ]+/.exec(await (await fetch(`${site.url}/post/first`)).text())?.[0];
  if (preview) paths.push(preview.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
  const ask = async () => {
    for (const path of paths) await (await fetch(site.url + path)).arrayBuffer();
  };
  await ask();
  // Logs as they lay before the last changes.
  const oldLogs = new Map(
    [DATABASE, INDEX].map((name) => [name, readFileSync(join(site.dataDirectory, `${name}-wal`))]),
  );
  await site.stop();
  for (const [name, text] of Object.entries({
    redirects: '/old /post/first\n',
    'unused-pictures.json': '{"unused":{}}',
    'site.toml': 'tagline = "Words that stay"\n',
    'backups.json': '{}',
    'pages/purges.json': '[]',
  }))
    writeFileSync(join(site.dataDirectory, name), text);
  await site.start();
  await site.post(await site.writer('Ben Sample'), { id: 'third' });
  await ask();
  const answers = new Map<string, Buffer>();
  for (const path of paths) answers.set(path, Buffer.from(await (await fetch(site.url + path)).arrayBuffer()));
  const documents = await documentsAt(site.url, readFileSync(join(site.dataDirectory, 'server-key'), 'utf8').trim());
  await site.stop();
  cpSync(site.dataDirectory, join(folder, 'sound'), { recursive: true });
  await removeSite(site);
  sound = { folder: join(folder, 'sound'), oldLogs, answers, documents };
  const [post = ''] = [join('pages', 'public', 'post', 'first', 'index.html')];
  files = new Map([
    ['the database', DATABASE],
    ['the lock', 'backend/owner.lock'],
    ['the name of the holder', 'backend/owner.pid'],
    ['the reserve', 'backend/reserve'],
    ['a stored picture', firstIn('backend/storage/files')],
    ['a preview', firstIn('backend/storage/previews')],
    ['the index of pages', INDEX],
    ['a page', post],
    ['a page, compressed', `${post}.br`],
    ['the server key', 'server-key'],
    ['the link of the first owner', 'owner-token.json'],
    ['the record of backups', 'backups.json'],
    ['old addresses', 'redirects'],
    ['pictures to sweep', 'unused-pictures.json'],
    ['the look of the site', 'site.toml'],
    ['purges that wait', 'pages/purges.json'],
    ['a script of a former build', firstIn('assets')],
  ]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const look = (file: string, kind: string): Promise<Seen> =>
  damageAndLook(sound, { data: join(folder, 'data'), file, kind, entry });

test('a sound folder shows everything, and nothing is said', async () => {
  const seen = await look('server-key', 'nothing at all');
  expect([verdictOf(seen), seen]).toMatchObject(['all is shown', { documents: 'same', ready: '200', doctor: [] }]);
});

test.each([
  ['the database', 'missing'],
  ['the database', 'cut to one byte'],
  ['the database', 'last byte lost'],
  ['the database', 'a hole of zeros'],
  ['the database', 'an old log beside it'],
  ['the index of pages', 'garbage in the middle'],
  ['the server key', 'empty'],
  ['a stored picture', 'last byte lost'],
])('%s, %s: the server starts with all that it had or says why not, and what is wrong is told', async (name, kind) => {
  const seen = await look(files.get(name) ?? '', kind);
  expect(verdictOf(seen), JSON.stringify(seen)).toMatch(/^(?:refused|told|told, all is shown)$/);
});

// The whole table takes half an hour: DAMAGES=all, or parts of the files' names.
describe.runIf(process.env.DAMAGES)('the whole table', () => {
  test('every kind of damage to every file', { timeout: 3_600_000 }, async () => {
    const failed: string[] = [];
    const only = process.env.DAMAGES === 'all' ? undefined : process.env.DAMAGES;
    for (const [name, file] of files) {
      if (only && !only.split(',').some((part) => name.includes(part))) continue;
      for (const kind of damagesOf(file)) {
        const seen = await look(file, kind);
        // Another look may be the operator's choice: a text that can be read is believed.
        const bad = file === 'site.toml' ? /HANG|CRASH/ : /SILENT|WRONG|HANG|CRASH/;
        if (bad.test(verdictOf(seen))) failed.push(`${name}, ${kind}: ${verdictOf(seen)}`);
        console.log(
          `| ${name} | ${kind} | ${verdictOf(seen)} | ${seen.start} | ${seen.reader} | ${seen.documents} | ${seen.ready.slice(0, 160)} | ${seen.doctor.join(' ')} | ${seen.said.split('\n')[0]?.slice(0, 260)}`,
        );
      }
    }
    expect(failed).toEqual([]);
  });
});
