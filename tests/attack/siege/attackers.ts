/**
 * The siege's attackers by kind. Each has a bounded rate, so that the attackers do not take too much of the machine,
 * and its own loopback addresses, in which the numbers after 127 identify the kind.
 */
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { postPermissions } from '#blog/permissions.ts';
import { uploadForm } from '../../bench/data.ts';
import { noise } from '../../e2e/pictures.ts';
import { count, type Tally } from '../attack.ts';
import { type Sent, send } from '../cost/measure.ts';
import { article, LARGEST_TEXTS } from '../cost/texts.ts';
import { type AttackOrder, DOCUMENTS, PROJECT } from './order.ts';

export interface Attacker {
  readonly order: AttackOrder;
  readonly tally: Tally;
  /** Aborted when the siege ends. */
  readonly signal: AbortSignal;
}

const PATIENCE_MS = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
let serial = 0;
const unique = () => `${process.pid.toString(36)}${(serial++).toString(36)}`;

type Asked = Pick<Sent, 'path'> & Partial<Sent> & { readonly from: string };

async function ask({ order, tally }: Attacker, { method = 'GET', headers, ...asked }: Asked): Promise<void> {
  const sent = { ...asked, method, headers: { 'x-appwrite-project': PROJECT, ...headers } };
  const answer = send(`http://127.0.0.1:${order.port}`, agent, sent, PATIENCE_MS);
  const failure = (error: NodeJS.ErrnoException) => ({ status: error.code ?? error.message });
  count(tally, String((await answer.catch(failure)).status));
}

/** Calls `once` repeatedly on several connections in parallel, with `pause` milliseconds between calls. */
async function again(
  { signal }: Attacker,
  connections: number,
  pause: number,
  once: (connection: number) => Promise<void>,
) {
  const loop = async (_: unknown, index: number) => {
    await wait(Math.random() * pause);
    while (!signal.aborted) {
      await once(index);
      await wait(pause, undefined, { signal }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
}

const JSON_TYPE = { 'content-type': 'application/json' };
const session = (secret: string) => ({ cookie: `a_session_${PROJECT}=${secret}` });

const queries = (...all: readonly object[]): string =>
  all.map((query, i) => `queries[${i}]=${encodeURIComponent(JSON.stringify(query))}`).join('&');

function signIns(attacker: Attacker): Promise<void> {
  return again(attacker, 140, 250, (connection) =>
    ask(attacker, {
      method: 'POST',
      path: '/v1/account/sessions/email',
      from: `127.1.${Math.floor(connection / 10)}.${1 + (serial % 200)}`,
      headers: JSON_TYPE,
      body: Buffer.from(JSON.stringify({ email: `${unique()}@example.com`, password: 'Correct-horse-1' })),
    }),
  );
}

function lists(attacker: Attacker): Promise<void> {
  const everything = { method: 'limit', values: [5000] };
  const inContents = (word: string) => ({ method: 'contains', attribute: 'content', values: [word, 'zz', 'qq'] });
  return again(attacker, 8, 400, (connection) =>
    ask(attacker, {
      path: `${DOCUMENTS}?${connection % 2 === 0 ? queries(everything, { method: 'notEqual', attribute: 'title', values: [unique()] }) : queries(inContents(unique()), everything)}`,
      from: `127.2.0.${connection + 1}`,
    }),
  );
}

function searches(attacker: Attacker): Promise<void> {
  return again(attacker, 4, 400, () =>
    ask(attacker, { path: `/search?q=the+ink+that+${unique()}`, from: `127.8.0.${1 + (serial % 200)}` }),
  );
}

function deepBodies(attacker: Attacker): Promise<void> {
  const body = Buffer.from(`{"name":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`);
  return again(attacker, 4, 2000, (connection) =>
    ask(attacker, { method: 'POST', path: '/v1/account', from: `127.3.0.${connection + 1}`, headers: JSON_TYPE, body }),
  );
}

async function publish(attacker: Attacker, secret: string, userId: string, content: string, from: string) {
  const documentId = unique();
  const data = { title: `Siege ${documentId}`, content, featuredImage: '', status: 'active', userId };
  const headers = { ...JSON_TYPE, ...session(secret) };
  const document = { documentId, data, permissions: postPermissions('active', userId) };
  await ask(attacker, { method: 'POST', path: DOCUMENTS, from, headers, body: Buffer.from(JSON.stringify(document)) });
  const slug = Buffer.from(JSON.stringify({ slug: documentId }));
  await ask(attacker, { method: 'POST', path: '/api/revalidate', from, headers, body: slug });
  await ask(attacker, { path: `/post/${documentId}`, from });
}

function hostileTexts(attacker: Attacker): Promise<void> {
  const { sessions, userIds } = attacker.order;
  const texts = Object.values(LARGEST_TEXTS);
  let next = 0;
  return again(attacker, 1, 4000, () =>
    publish(attacker, sessions[0] ?? '', userIds[0] ?? '', texts[next++ % texts.length] ?? '', '127.4.0.1'),
  );
}

/** Writes one post repeatedly; the server sends each write to every realtime subscriber. */
function writes(attacker: Attacker): Promise<void> {
  const { sessions, userIds } = attacker.order;
  const headers = { ...JSON_TYPE, ...session(sessions[1] ?? '') };
  const userId = userIds[1] ?? '';
  const documentId = unique();
  const data = { title: 'Told to everybody', content: article(20_000, 3), featuredImage: '', status: 'active', userId };
  return again(attacker, 1, 700, () =>
    ask(attacker, {
      method: 'PUT',
      path: `${DOCUMENTS}/${documentId}`,
      from: '127.4.0.2',
      headers,
      body: Buffer.from(JSON.stringify({ data, permissions: postPermissions('active', userId) })),
    }),
  );
}

async function uploads(attacker: Attacker): Promise<void> {
  const picture = await noise(9_900_000);
  const { sessions } = attacker.order;
  await again(attacker, 2, 2500, async (connection) => {
    const { body, type } = await uploadForm(picture, unique(), []);
    return ask(attacker, {
      method: 'POST',
      path: '/v1/storage/buckets/media/files',
      from: `127.6.0.${connection + 1}`,
      headers: { 'content-type': type, ...session(sessions[connection] ?? '') },
      body,
    });
  });
}

function open({ order, tally }: Attacker, from: string, first: string): Socket {
  const socket = connect({ host: '127.0.0.1', port: order.port, localAddress: from });
  let status = '';
  socket.once('data', (chunk) => {
    status = chunk.toString('latin1', 9, 12);
    count(tally, status);
  });
  socket.on('error', (error) => count(tally, (error as NodeJS.ErrnoException).code ?? error.message));
  socket.on('close', () => {
    count(tally, 'closed');
  });
  socket.write(first);
  return socket;
}

const HANDSHAKE = [
  `GET /v1/realtime?project=${PROJECT}&channels[]=documents HTTP/1.1`,
  'host: localhost',
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n');

/** Opens 1,900 WebSockets, as many from each address as the rate limit allows. */
async function sockets(attacker: Attacker): Promise<void> {
  const all: Socket[] = [];
  for (let i = 0; i < 1900 && !attacker.signal.aborted; i++) {
    const socket = open(attacker, `127.5.0.${1 + Math.floor(i / 120)}`, HANDSHAKE);
    socket.on('data', () => {});
    all.push(socket);
    if (i % 20 === 19) await wait(50);
  }
  await ended(attacker.signal);
  for (const socket of all) socket.destroy();
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

/** Opens clients that send a request byte by byte and start again when the server disconnects them. */
async function dribble(attacker: Attacker, network: number, clients: number, first: string, drop: string) {
  const { signal } = attacker;
  const start = (index: number): void => {
    const socket = open(attacker, `127.7.${network}.${1 + (index % 200)}`, first);
    socket.on('data', () => {});
    const timer = setInterval(() => socket.write(drop), 1000);
    socket.on('close', () => {
      clearInterval(timer);
      if (!signal.aborted) setTimeout(() => !signal.aborted && start(index), 1000);
    });
  };
  for (let index = 0; index < clients; index++) start(index);
  await ended(signal);
}

const slowHeads = (attacker: Attacker) => dribble(attacker, 0, 300, 'GET / HTTP/1.1\r\nhost: localhost\r\nx-a: ', 'a');

async function slowBodies(attacker: Attacker): Promise<void> {
  const head = `host: a\r\nx-appwrite-project: ${PROJECT}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`;
  await Promise.all(
    ['/v1/account', '/api/preview'].map((path, i) =>
      dribble(attacker, 1 + i, 100, `POST ${path} HTTP/1.1\r\n${head}`, ' '),
    ),
  );
}

/** Opens clients that each request a large picture five times on one connection without reading the responses. */
async function unread(attacker: Attacker): Promise<void> {
  const { order, signal } = attacker;
  const view = `/v1/storage/buckets/media/files/${order.file}/view?project=${PROJECT}`;
  for (let i = 0; i < 100; i++) {
    const socket = open(attacker, `127.7.9.${1 + i}`, `GET ${view} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(5));
    socket.once('data', () => socket.pause());
  }
  await ended(signal);
}

export const ATTACKERS: Readonly<Record<string, (attacker: Attacker) => Promise<void>>> = {
  'sign-ins': signIns,
  lists,
  searches,
  'deep bodies': deepBodies,
  'hostile texts': hostileTexts,
  writes,
  uploads,
  sockets,
  'slow heads': slowHeads,
  'slow bodies': slowBodies,
  unread,
};
