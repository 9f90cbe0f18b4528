/** What lists of a guest do to readers: everything with its whole text, many at once, unread, and searched through. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Databases } from 'node-appwrite';
import { ownSite, type RunningSite, removeSite } from '../e2e/site.ts';
import { type Attack, type Figures, processorSeconds, quantile, residentMebibytes } from './attack.ts';
import { startReader } from './reader.ts';

const POSTS = 5000;
/** Characters of each. */
const LONG = 20_000;
const IN_BULK = 100;
const LISTS = 50;
/** Clients that ask for a list and do not read it. */
const DEAF = 40;
/** The longest that one part may take, milliseconds. */
const PATIENCE = 15_000;

const COLLECTION = { databaseId: 'blog', collectionId: 'noise' };
const PATH = '/v1/databases/blog/collections/noise/documents';
const WORDS = 'ink spreads along the fibres of paper until it meets the size that a maker brushed on and a press'.split(
  ' ',
);

type Query = { readonly method: string; readonly attribute?: string; readonly values: readonly unknown[] };

const addressOf = (...queries: readonly Query[]): string =>
  `${PATH}?project=common-ink&${queries.map((each) => `queries[]=${encodeURIComponent(JSON.stringify(each))}`).join('&')}`;

async function fill(site: RunningSite): Promise<void> {
  const databases = new Databases(site.admin());
  await databases.createCollection({ ...COLLECTION, name: 'Noise', permissions: ['read("any")'] });
  await databases.createLongtextAttribute({ ...COLLECTION, key: 'text', required: true });
  await databases.createIndex({ ...COLLECTION, key: 'words', type: 'fulltext' as never, attributes: ['text'] });
  for (let from = 0; from < POSTS; from += IN_BULK) {
    const documents = Array.from({ length: IN_BULK }, (_, i) => {
      let text = `${from + i}`;
      for (let n = from + i; text.length < LONG; n = (n * 1103 + 12345) % 65_536) text += ` ${WORDS[n % WORDS.length]}`;
      return { $id: `d${from + i}`, text };
    });
    await databases.createDocuments({ ...COLLECTION, documents });
  }
}

/** Gives the status and how many bytes came. */
async function ask(site: RunningSite, path: string): Promise<{ status: number; bytes: number }> {
  try {
    const response = await fetch(site.url + path, { signal: AbortSignal.timeout(PATIENCE) });
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { status: response.status, bytes };
  } catch {
    return { status: 0, bytes: 0 };
  }
}

/** Asks and reads nothing, from a network of its own. */
async function askDeaf(site: RunningSite, path: string, index: number): Promise<Socket> {
  const socket = connect({ port: Number(new URL(site.url).port), host: '127.0.0.1', localAddress: `127.0.2.${index}` });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\n\r\n`);
  return socket;
}

/** Figures of one part: what it does to memory and to a reader. */
async function during(site: RunningSite, name: string, work: () => Promise<string>): Promise<Figures> {
  const pid = site.pid as number;
  if (!existsSync(`/proc/${pid}`)) return { [`${name}`]: 'the site has ended' };
  const before = residentMebibytes(pid);
  const used = processorSeconds(pid);
  let peak = before;
  const timer = setInterval(() => {
    if (existsSync(`/proc/${pid}`)) peak = Math.max(peak, residentMebibytes(pid));
  }, 10);
  const reader = await startReader(`${site.url}/`);
  const begun = performance.now();
  const answers = await work();
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(timer);
  const waits = await reader.stop();
  return {
    [`${name}: answers`]: answers,
    [`${name}: seconds`]: seconds,
    [`${name}: seconds of the processor`]: existsSync(`/proc/${pid}`) ? processorSeconds(pid) - used : 'the site ended',
    [`${name}: memory growth, MiB`]: peak - before,
    [`${name}: longest wait of a reader, ms`]: quantile(waits, 1),
  };
}

/** The same request so many times at once. */
function many(site: RunningSite, count: number, path: string): () => Promise<string> {
  return async () => {
    const answers = await Promise.all(Array.from({ length: count }, () => ask(site, path)));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    const mebibytes = answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / 1024;
    return `${[...statuses].map(([status, { length }]) => `${length} × ${status}`).join(', ')}; ${mebibytes.toFixed(1)} MiB`;
  };
}

export const attack: Attack = {
  title: 'A guest lists five thousand documents of 20 kB, fifty times at once, unread, and by their texts.',
  async run({ build }) {
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    try {
      await fill(site);
      const limit = (count: number): Query => ({ method: 'limit', values: [count] });
      const select = (name: string): Query => ({ method: 'select', values: [name] });
      const filter = (method: string, ...values: string[]): Query => ({ method, attribute: 'text', values });
      const letters = Array.from('abcdefimopstu', (letter) => filter('search', letter));
      return {
        ...(await during(site, 'nothing', async () => `${await wait(2000, '')}none`)),
        ...(await during(site, 'one of everything', many(site, 1, addressOf(limit(1e9))))),
        ...(await during(site, 'fifty of everything', many(site, LISTS, addressOf(limit(1e9))))),
        ...(await during(site, 'fifty of 500', many(site, LISTS, addressOf(limit(500))))),
        ...(await during(site, 'unread', async () => {
          const asked = Array.from({ length: DEAF }, (_, i) => askDeaf(site, addressOf(limit(700)), 1 + (i % 8)));
          const sockets = await Promise.all(asked);
          await wait(3000);
          for (const socket of sockets) socket.destroy();
          return `${sockets.length} not read`;
        })),
        ...(await during(site, 'contains', many(site, 5, addressOf(filter('contains', 'no such words'), limit(1))))),
        ...(await during(site, 'notContains', many(site, 5, addressOf(filter('notContains', 'ñ'), limit(1))))),
        ...(await during(
          site,
          'ordered by text',
          many(site, 5, addressOf({ method: 'orderAsc', attribute: 'text', values: [] }, limit(5000), select('$id'))),
        )),
        ...(await during(site, 'search', many(site, 3, addressOf(...letters, limit(1))))),
      };
    } finally {
      await removeSite(site);
    }
  },
};
