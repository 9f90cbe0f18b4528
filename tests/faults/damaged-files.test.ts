import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownSite, removeSite } from '../e2e/site.ts';
import { damageAndLook, documentsAt, type Seen, SITE_URL, type Sound, verdictOf } from './damaged-files.ts';

const DATABASE = 'backend/backend.sqlite';
const INDEX = 'pages/index.sqlite';
const folder = mkdtempSync(join(tmpdir(), 'damaged-files-'));
const entry = resolve('dist', 'server/entry.mjs');
let sound: Sound;
let files: Map<string, string>;

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
  const oldLogs = new Map(
    [DATABASE, INDEX].map((name) => [name, readFileSync(join(site.dataDirectory, `${name}-wal`))]),
  );
  await site.stop();
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
  files = new Map([
    ['the database', DATABASE],
    ['the index of pages', INDEX],
    ['the server key', 'server-key'],
    ['a stored picture', firstIn('backend/storage/files')],
  ]);
});
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
