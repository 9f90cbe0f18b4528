/** Damages a file of a stopped site and restarts it. The site must report missing data and never serve wrong data. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { beforeAll, expect, test } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import { examine } from '#operations/doctor/examine.ts';
import { readConfiguration } from '#server/configuration.ts';
import { doctorSite } from '../../scripts/doctor/doctor-site.ts';
import { ownSite, RunningSite, removeSite } from '../e2e/site.ts';
import { sharedFolder } from '../support/folder.ts';

/** An answer or a start that takes longer counts as a hang. */
const PATIENCE_MS = 300_000;
/** Fixed although the port changes at each start, because pages contain the URL and are compared byte by byte. */
const SITE_URL = 'http://127.0.0.1:4321';
const DATABASE = 'backend/backend.sqlite';
/** The doctor's findings that are caused by the test environment, not by the damage. */
const ALWAYS = /^(?:process\.none|backups\.none|build\.|configuration\.|dns\.|tls\.|proxy\.)/;
const folder = sharedFolder();
const sound = join(folder, 'sound');
const data = join(folder, 'data');
const answers = new Map<string, Buffer>();
let documents: string;
let picture: string;

async function answerOf(url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: Buffer }> {
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

/** Returns the lists of posts, users and files as text, or an empty string if one cannot be read. */
async function documentsAt({ url, dataDirectory }: RunningSite): Promise<string> {
  const key = fs.readFileSync(join(dataDirectory, 'server-key'), 'utf8').trim();
  const headers = { 'x-appwrite-project': 'common-ink', 'x-appwrite-key': key };
  const texts: string[] = [];
  for (const path of ['databases/blog/collections/articles/documents', 'users', 'storage/buckets/media/files']) {
    const { status, body } = await answerOf(`${url}/v1/${path}`, headers);
    if (status !== 200) return '';
    texts.push(body.toString());
  }
  return texts.join('\n');
}

beforeAll(async () => {
  const site = await ownSite({ environment: { SITE_URL } });
  const writer = await site.writer();
  const content = `<p>${'One of many words. '.repeat(400)}</p>`;
  const { featuredImage } = await site.post(writer, { id: 'first', content });
  await site.post(writer, { id: 'second' });
  const paths = ['/', '/post/first', '/post/second', '/archive'];
  paths.push(`${new URL(site.view(featuredImage)).pathname}?project=common-ink`);
  const page = (await answerOf(`${site.url}/post/first`)).body.toString();
  const [preview = '/'] = /\/v1\/storage[^" ]+preview[^" ]+/.exec(page) ?? [];
  paths.push(preview.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
  for (const path of paths) {
    // Skips a version that is being rendered again.
    while ((await fetch(site.url + path)).headers.get('x-page')?.startsWith('stale'));
    answers.set(path, (await answerOf(site.url + path)).body);
  }
  documents = await documentsAt(site);
  await site.stop();
  fs.cpSync(site.dataDirectory, sound, { recursive: true });
  await removeSite(site);
  const blobs = fs.readdirSync(join(sound, 'backend/storage/files'), { recursive: true, encoding: 'utf8' }).sort();
  picture = `backend/storage/files/${blobs.find((name) => name.includes('/'))}`;
});

const DAMAGES = {
  'nothing at all': () => {},
  missing: (path: string) => fs.rmSync(path),
  empty: (path: string) => fs.truncateSync(path, 0),
  'last byte lost': (path: string) => fs.truncateSync(path, fs.statSync(path).size - 1),
  'a hole of zeros'(path: string) {
    const file = fs.openSync(path, 'r+');
    fs.writeSync(file, Buffer.alloc(8192), 0, 8192, Math.floor((fs.statSync(path).size - 8192) * 0.4));
    fs.closeSync(file);
  },
};

async function wrongFor({ url }: RunningSite): Promise<Set<string>> {
  const wrong = new Set<string>();
  // Reads each page twice, because a stored page is served once before it is compared with the backend.
  for (const [path, right] of [...answers, ...answers]) {
    try {
      const { status, body } = await answerOf(url + path);
      if (status !== 200) wrong.add(`${path}: ${status}`);
      else if (!body.equals(right)) wrong.add(`${path}: WRONG`);
    } catch (error) {
      wrong.add(`${path}: ${(error as Error).name === 'TimeoutError' ? 'HANG' : 'no answer'}`);
    }
  }
  return wrong;
}

async function findsOf(environment: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    const found = await examine(await doctorSite(readConfiguration(environment), environment));
    return found.map(({ id }) => id).filter((id) => !ALWAYS.test(id));
  } catch (error) {
    if (error instanceof OperatorError) return ['settings'];
    throw error;
  }
}

/**
 * Returns a verdict and the evidence for it. If the server does not start: `refused` if it prints a report, `CRASH` if
 * it prints nothing or a stack trace, `HANG` after `PATIENCE_MS`. If it starts: `told` if a log line above `info`, the
 * doctor or the readiness probe reports the damage, else `SILENT`. Then `all is shown`, `some is missing` or `WRONG`.
 */
async function lookAt(file: string, damage: keyof typeof DAMAGES): Promise<{ verdict: string; seen: object }> {
  fs.rmSync(data, { recursive: true, force: true });
  fs.cpSync(sound, data, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  DAMAGES[damage](join(data, file));
  const port = await freePort();
  const environment = { PORT: `${port}`, DATA_DIR: data, LOG_FORMAT: 'text', SITE_URL, EMBEDDED_RATE_LIMITS: 'off' };
  const site = new RunningSite(port, data, { environment });
  try {
    const starting = site
      .start()
      .then(() => 'ready')
      .catch(() => 'refused');
    const start = await Promise.race([starting, wait(PATIENCE_MS, 'HANG', { ref: false })]);
    if (start === 'HANG') return { verdict: 'HANG', seen: {} };
    if (start === 'refused') {
      const isCrash = /^\s+at /m.test(site.said) || site.said.trim() === '';
      return { verdict: isCrash ? 'CRASH' : 'refused', seen: { said: site.said } };
    }
    const wrong = [...(await wrongFor(site))];
    const { status: ready, body } = await answerOf(`${site.url}/readyz`);
    expect(body.toString()).not.toContain(data);
    const doctor = await findsOf(environment);
    const held = await documentsAt(site).catch(() => '');
    const said = site.said.split('\n').filter((line) => /\b(?:warn|error)\b/i.test(line));
    const isTold = said.length > 0 || doctor.length > 0 || ready === 503;
    const isWrong = wrong.some((each) => /WRONG|HANG/.test(each)) || (held !== '' && held !== documents);
    const shown = wrong.length === 0 ? 'all is shown' : 'some is missing';
    const verdict = `${isTold ? 'told' : 'SILENT'}, ${isWrong ? 'WRONG' : shown}`;
    return { verdict, seen: { said, wrong, ready, doctor, isSame: held === documents } };
  } finally {
    await site.stop();
  }
}

test('a sound folder shows everything, and nothing is said', async () => {
  const seen = { said: [], wrong: [], ready: 200, doctor: [], isSame: true };
  expect(await lookAt('server-key', 'nothing at all')).toEqual({ verdict: 'SILENT, all is shown', seen });
});

test.each([
  [DATABASE, 'missing'],
  [DATABASE, 'a hole of zeros'],
  ['server-key', 'empty'],
  ['picture', 'last byte lost'],
] as const)('%s, %s: the server starts with all that it had or says what is wrong', async (file, damage) => {
  const { verdict, seen } = await lookAt(file === 'picture' ? picture : file, damage);
  expect(verdict, JSON.stringify(seen)).toMatch(/^(?:refused|told, all is shown|told, some is missing)$/);
});
