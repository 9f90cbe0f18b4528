/** What one write does to readers when very many listen, and what listeners do who stop reading. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Databases, ID } from 'node-appwrite';
import { ownSite, type RunningSite, removeSite } from '../e2e/site.ts';
import { type Attack, quantile, residentMebibytes } from './attack.ts';
import { startReader } from './reader.ts';

/** Sockets in all, a hundred and more of each network: more connects in a minute are refused. */
const SOCKETS = 1000;
const OF_NETWORK = 125;
/** Sockets of the second part, which do not read. */
const DEAF = 900;
/** Characters of the document. */
const LARGE = 500_000;
const WRITES = 8;
/** The longest that one part may take, milliseconds. */
const PATIENCE = 25_000;

const COLLECTION = { databaseId: 'blog', collectionId: 'noise' };

interface Listener {
  readonly socket: Socket;
  received: number;
}

/** A masked text frame of a client; the mask is zero, which changes nothing. */
function clientFrame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255, 0, 0, 0, 0]), body]);
}

/** A guest who listens on all documents with a subscription of its own name, as SDK clients do. */
async function listen(site: RunningSite, index: number): Promise<Listener> {
  const { port } = new URL(site.url);
  const localAddress = `127.0.1.${1 + Math.floor(index / OF_NETWORK)}`;
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  const listener: Listener = { socket, received: 0 };
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `GET /v1/realtime?project=common-ink HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  const subscriptionId = `s${index}-${randomBytes(4).toString('hex')}`;
  const item = { subscriptionId, channels: ['documents'], queries: ['{"method":"select","values":["*"]}'] };
  await once(socket, 'data');
  socket.write(clientFrame(JSON.stringify({ type: 'subscribe', data: [item] })));
  for (let text = ''; !text.includes(subscriptionId); ) text += String((await once(socket, 'data'))[0]);
  socket.on('data', ({ length }: Buffer) => {
    listener.received += length;
  });
  return listener;
}

async function listenAll(site: RunningSite, count: number): Promise<Listener[]> {
  const listeners: Listener[] = [];
  for (let from = 0; from < count; from += 50) {
    const group = Array.from({ length: Math.min(50, count - from) }, (_, i) => listen(site, from + i));
    listeners.push(...(await Promise.all(group)));
  }
  return listeners;
}

/** Memory at most, looked at often, until `work` ends. */
async function peakDuring(site: RunningSite, work: () => Promise<void>): Promise<number> {
  const before = residentMebibytes(site.pid as number);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMebibytes(site.pid as number));
  }, 10);
  await work();
  clearInterval(timer);
  return peak - before;
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!isTrue() && Date.now() < end) await wait(10);
}

export const attack: Attack = {
  title: 'A thousand guests listen and a document of 500 kB is written; then nine hundred do not read what comes.',
  async run({ build }) {
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    try {
      const databases = new Databases(site.admin());
      await databases.createCollection({ ...COLLECTION, name: 'Noise', permissions: ['read("any")'] });
      await databases.createLongtextAttribute({ ...COLLECTION, key: 'text', required: true });
      const text = 'Ink spreads on paper. '.repeat(LARGE / 22);
      const write = () => databases.createDocument({ ...COLLECTION, documentId: ID.unique(), data: { text } });
      await write();
      const listeners = await listenAll(site, SOCKETS);
      const reader = await startReader(`${site.url}/`);
      await wait(3000);
      const quiet = await reader.stop();
      const during = await startReader(`${site.url}/`);
      const begun = performance.now();
      const growth = await peakDuring(site, async () => {
        await write();
        await until(() => listeners.every(({ received }) => received > LARGE));
      });
      const seconds = (performance.now() - begun) / 1000;
      const told = listeners.filter(({ received }) => received > LARGE).length;
      const waits = await during.stop();

      for (const { socket } of listeners.slice(0, DEAF)) socket.pause();
      const deaf = await startReader(`${site.url}/`);
      const deafGrowth = await peakDuring(site, async () => {
        for (let n = 0; n < WRITES; n++) await write();
        await wait(2000);
      });
      const deafWaits = await deaf.stop();
      for (const { socket } of listeners) socket.destroy();
      return {
        'guests that were told': told,
        'seconds until all were told': seconds,
        'memory growth, MiB': growth,
        'longest wait of a reader before it, ms': quantile(quiet, 1),
        'longest wait of a reader, ms': quantile(waits, 1),
        'median wait of a reader, ms': quantile(waits, 0.5),
        'memory growth with deaf guests, MiB': deafGrowth,
        'longest wait of a reader with deaf guests, ms': quantile(deafWaits, 1),
      };
    } finally {
      await removeSite(site);
    }
  },
};
