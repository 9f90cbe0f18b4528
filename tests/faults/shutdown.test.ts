/** Writes while the server shuts down: each request gets a response, and every acknowledged write is stored. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { postPermissions } from '#blog/permissions.ts';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { settings } from './settings.ts';
import { GRACE_MS, isOpen, textAt, watchArrivals } from './tools.ts';

const WRITERS = 20;
let site: RunningSite;
let writer: Writer;

beforeAll(async () => {
  site = await ownSite();
  writer = await site.writer();
  return () => removeSite(site);
});

type Sent = { readonly path: string; readonly body: object };
type Outcome = { readonly status: number; readonly retryAfter: string | undefined };

interface Connection {
  readonly agent: Agent;
  /** Time at which the last response arrived, or earlier. */
  idleSince: number;
  sentAt: number;
}

/** Sends a request on a keep-alive connection. Rejects if the connection fails or the response is cut off. */
function send({ path, body }: Sent, connection: Connection, arrival: () => number): Promise<Outcome> {
  const { agent } = connection;
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const cookie = `a_session_common-ink=${writer.session}`;
  const headers = { 'content-type': 'application/json', 'x-appwrite-project': 'common-ink', cookie };
  request(site.url + path, { method: 'POST', headers, agent }, (response) => {
    connection.idleSince = arrival();
    response.resume().on('close', () => {
      const { statusCode: status = 0, headers: received } = response;
      if (response.complete) resolve({ status, retryAfter: received['retry-after'] });
      else reject(new Error(`The answer ${status} was cut.`));
    });
  })
    .on('finish', () => {
      connection.sentAt = performance.now();
    })
    .on('error', reject)
    .end(JSON.stringify(body));
  return promise;
}

const newPost = (id: string): Sent => ({
  path: '/v1/databases/blog/collections/articles/documents',
  body: {
    documentId: id,
    data: { title: id, content: '<p>Some text.</p>', featuredImage: '', status: 'active', userId: writer.id },
    permissions: postPermissions('active', writer.id),
  },
});

test('what writers send while the server ends is finished, or they hear when to send it again', async () => {
  await site.post(writer, { id: 'shown' });
  const faults: string[] = [];
  const acknowledged: string[] = [];
  let answered = 0;
  const arrival = watchArrivals();
  const write = async (n: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connection: Connection = { agent, idleSince: 0, sentAt: 0 };
    for (let k = 0; ; k++) {
      const id = `written-${n}-${k}`;
      const sent = n % 2 === 0 ? newPost(id) : { path: '/api/revalidate', body: { slug: 'shown' } };
      try {
        const { status, retryAfter } = await send(sent, connection, arrival);
        answered++;
        if (status === 201) acknowledged.push(id);
        else if (status === 503 ? retryAfter === undefined : status !== 200) faults.push(`${sent.path} ${status}`);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        // If this process was paused, the connection may have been idle so long that the server closed it.
        const isLate = k > 0 && connection.sentAt - connection.idleSince > GRACE_MS;
        if (code !== 'ECONNREFUSED' && !(isLate && code === 'ECONNRESET'))
          faults.push(`${sent.path} ${code ?? message}`);
        return agent.destroy();
      }
      await sleep(30);
    }
  };
  const writing = Array.from({ length: WRITERS }, (_, n) => write(n));
  await expect.poll(() => answered).toBeGreaterThan(2 * WRITERS);
  const before = answered;
  await site.stop();
  await Promise.all(writing);
  if (settings.verbose) console.log(`${answered - before} answers after the signal`);
  expect(faults).toEqual([]);
  expect(answered).toBeGreaterThan(before);

  await site.start();
  for (const id of acknowledged) await site.stored(id);
});

/** Sends a request's head; returns a function that sends the body and returns path, status and whether to retry. */
async function begin({ path, body }: Sent): Promise<() => Promise<string>> {
  const { host, port } = new URL(site.url);
  const sent = JSON.stringify(body);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json'];
  const session = [`Cookie: a_session_common-ink=${writer.session}`, 'X-Appwrite-Project: common-ink'];
  socket.write([...head, ...session, `Content-Length: ${Buffer.byteLength(sent)}`, '\r\n'].join('\r\n'));
  return async () => {
    socket.write(sent);
    const answer = await text(socket);
    const [, status = 'cut'] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
    return `${path} ${status}${/^retry-after: \d+/im.test(answer) ? ', later' : ''}`;
  };
}

test('a request whose body comes when the server takes no connection any more is finished, or told to come again', async () => {
  const rest = await Promise.all(
    [
      newPost('late'),
      { path: '/api/revalidate', body: { slug: 'shown' } },
      { path: '/api/draft-link', body: { slug: 'shown', action: 'create' } },
      { path: '/api/recovery', body: { email: writer.email } },
      { path: '/api/people', body: { action: 'invite', email: 'bob@example.com', role: 'writer' } },
      { path: '/api/account/password', body: { password: 'Correct-horse-2', former: 'Correct-horse-1' } },
    ].map(begin),
  );
  // The additional one is the request for the metrics itself.
  await expect.poll(() => textAt(`${site.url}/metrics`)).toContain(`requests_in_flight ${rest.length + 1}`);
  const ended = site.stop();
  await expect.poll(() => isOpen(site.url)).toBe(false);
  const answers = await Promise.all(rest.map((send) => send()));
  await ended;
  expect(answers.slice(0, 2)).toEqual([`${newPost('late').path} 201`, '/api/revalidate 200']);
  for (const answer of answers.slice(2)) expect(answer).toMatch(/ (?:2\d\d|4\d\d|503, later)$/);
  await site.start();
  await site.stored('late');
});
