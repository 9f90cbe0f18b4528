/**
 * Runs all attackers, from separate networks, against one site with rate limits on, alongside readers and a writer.
 * Attackers have a low priority and a bounded rate, so that the figures measure the server and not how much of the
 * machine the attackers take.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../bench/figures.ts';
import { noise } from '../e2e/pictures.ts';
import { ownSite, PASSWORD, type RunningSite, type Writer } from '../e2e/site.ts';
import { residentMiB } from '../support/process-usage.ts';
import { type Attack, type Figures, type Tally, told } from './attack.ts';
import { storePosts } from './cost/stored-posts.ts';
import { ATTACKERS } from './siege/attackers.ts';
import { publishAll } from './siege/honest-writer.ts';
import { type AttackOrder, PROJECT, type Readings, type ReadOrder } from './siege/order.ts';

const POSTS = 300;
const READERS = 50;
/** A reader loads a page every 250 ms; all readers together load two hundred a second. */
const READS_EVERY_MS = 250;
const PUBLISHED = 100;
/** Niceness of the attackers, so that they yield the processor to the server, the readers and the writer. */
const LOW_PRIORITY = 10;

/** The site has recovered once it is below all of these: p99 of readers in ms, a sign-in in s, memory in MiB. */
const NORMAL = { readers: 20, signIn: 1, memory: 600 } as const;
const LONGEST_RECOVERY_S = 120;

function child(name: string): ChildProcess {
  return fork(join(import.meta.dirname, 'siege', `${name}.ts`), { execArgv: [], serialization: 'advanced' });
}

async function stop<T>(process: ChildProcess): Promise<T> {
  const answer = once(process, 'message') as Promise<[T]>;
  process.send('stop');
  const [told] = await answer;
  return told;
}

async function readersFor(order: ReadOrder, seconds: number): Promise<Readings> {
  const readers = child('readers-child');
  readers.send(order);
  await wait(seconds * 1000);
  const readings = await stop<Readings>(readers);
  readers.disconnect();
  return readings;
}

async function secondsToSignIn(site: RunningSite, { email }: Writer): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${site.backend}/account/sessions/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-appwrite-project': PROJECT },
    body: JSON.stringify({ email, password: PASSWORD }),
    signal: AbortSignal.timeout(LONGEST_RECOVERY_S * 1000),
  });
  await response.arrayBuffer();
  return response.status === 201 ? (performance.now() - begun) / 1000 : Number.POSITIVE_INFINITY;
}

async function recovery(site: RunningSite, writer: Writer, order: ReadOrder): Promise<number> {
  const begun = performance.now();
  const gone = () => (performance.now() - begun) / 1000;
  while (gone() < LONGEST_RECOVERY_S) {
    const tried = gone();
    const { latencies, errors } = await readersFor(order, 1);
    const isQuick = quantile(latencies, 0.99) < NORMAL.readers && Object.keys(errors).length === 0;
    const signIn = await secondsToSignIn(site, writer).catch(() => Number.POSITIVE_INFINITY);
    if (isQuick && signIn < NORMAL.signIn && residentMiB(site.pid ?? 0) < NORMAL.memory) return tried;
  }
  return Number.POSITIVE_INFINITY;
}

export const attack: Attack = {
  title: 'everything at once, beside fifty readers and a writer (--minutes, default 1)',
  limits: {
    'p99 of readers, ms': 250,
    'errors of readers': 0,
    'longest until a post is seen, s': 3,
    'most memory, MiB': NORMAL.memory,
    'normal after the end, s': 10,
  },
  async run({ build, minutes = 1, kinds = Object.keys(ATTACKERS) }): Promise<Figures> {
    await using site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    const attackers = new Map<string, ChildProcess>();
    try {
      const [writer, ...hostile] = [await site.writer(), await site.writer('Mallory'), await site.writer('Trudy')];
      if (!writer) throw new Error('There is no writer.');
      await storePosts(site, writer, POSTS);
      const file = await site.upload(writer, await noise(4_900_000), 'large.png');
      const port = Number(new URL(site.url).port);
      const paths = ['/', ...Array.from({ length: 20 }, (_, i) => `/post/post-${i}`)];
      for (const path of paths) await (await fetch(site.url + path)).text();
      const order: ReadOrder = { port, paths, readers: READERS, everyMs: READS_EVERY_MS };
      const pid = site.pid ?? 0;
      let most = 0;
      const memory = setInterval(() => {
        most = Math.max(most, residentMiB(pid));
      }, 250);
      for (const kind of kinds) {
        const attacker = child('attacker-child');
        if (attacker.pid) setPriority(attacker.pid, LOW_PRIORITY);
        attackers.set(kind, attacker);
        attacker.send({
          kind,
          port,
          file,
          post: 'post-7',
          sessions: hostile.map(({ session }) => session),
          userIds: hostile.map(({ id }) => id),
        } satisfies AttackOrder);
      }
      const span = minutes * 60;
      const [during, published] = await Promise.all([
        readersFor(order, span),
        publishAll(site, writer, PUBLISHED, (span * 1000) / PUBLISHED),
      ]);
      clearInterval(memory);
      const answered: Record<string, string> = {};
      for (const [kind, attacker] of attackers) {
        answered[`answered to ${kind}`] = told(await stop<Tally>(attacker));
        // Ends the process and with it the attacker's connections.
        attacker.disconnect();
      }
      const seconds = await recovery(site, writer, order);

      return {
        'p99 of readers, ms': quantile(during.latencies, 0.99),
        'errors of readers': Object.values(during.errors).reduce((sum, count) => sum + count, 0),
        'they are': told(during.errors),
        'longest until a post is seen, s': quantile(published, 1),
        'most memory, MiB': most,
        'normal after the end, s': seconds,
        ...answered,
      };
    } finally {
      for (const attacker of attackers.values()) if (attacker.connected) attacker.disconnect();
    }
  },
};
