import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startBackendProcess } from '../support/backend-process.ts';
import { ownFolder } from '../support/folder.ts';
import { type Client, createClient } from './client.ts';
import { type Credentials, createNonsense, type Nonsense } from './nonsense.ts';
import { createRandom } from './random.ts';
import { settings } from './settings.ts';

const AT_ONCE = 8;
/** Number of requests after which data that they deleted or corrupted is created again. */
const RENEW_EVERY = 150;
const PATIENCE_MS = 120_000;

/** An HTTP status, `closed` if the server closed the connection without one, or `hang` if it did neither in time. */
type Outcome = number | 'closed' | 'hang';

/** Sends the bytes and, unless they are a complete request, ends the client's side of the connection. */
async function send(port: number, { bytes, isWhole }: Nonsense): Promise<Outcome> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1', 0, 20);
  });
  socket.write(bytes);
  if (!isWhole) socket.end();
  const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
  const patience = setTimeout(end, PATIENCE_MS, false);
  // A reset of the connection closes it as well.
  socket.once('close', () => end(true));
  const isClosed = await ended;
  clearTimeout(patience);
  socket.destroy();
  const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
  if (!isClosed) return 'hang';
  return status === undefined ? 'closed' : Number(status);
}

/** Excludes 501 and 503, which the server sends on purpose for features that it lacks or cannot offer at the moment. */
const isFault = (outcome: Outcome): boolean =>
  outcome === 'hang' || (typeof outcome === 'number' && outcome >= 500 && outcome !== 501 && outcome !== 503);

async function furnish({ json, upload }: Client): Promise<Credentials> {
  await json('POST', '/databases', { databaseId: 'd', name: 'd' });
  await json('PUT', '/databases/d', { name: 'd', enabled: true });
  const collection = '/databases/d/collections/c';
  const permissions = ['read("any")', 'create("users")'];
  const open = { name: 'c', permissions, documentSecurity: true, enabled: true };
  await json('POST', '/databases/d/collections', { collectionId: 'c', ...open });
  await json('PUT', collection, open);
  await json('POST', `${collection}/attributes/string`, { key: 'title', size: 128, required: true });
  await json('POST', `${collection}/attributes/integer`, { key: 'n', required: false });
  await json('POST', `${collection}/attributes/enum`, { key: 'st', elements: ['a', 'b'], required: false });
  await json('POST', `${collection}/attributes/string`, { key: 'tags', size: 20, required: false, array: true });
  await json('POST', `${collection}/indexes`, { key: 'byN', type: 'key', attributes: ['n'] });
  await json('POST', `${collection}/indexes`, { key: 'words', type: 'fulltext', attributes: ['title'] });
  await json('PUT', `${collection}/documents/doc`, { data: { title: 'A title', n: 1 }, permissions: ['read("any")'] });
  await json('POST', '/storage/buckets', { bucketId: 'b', name: 'b', permissions });
  await upload('/storage/buckets/b/files', 'file', Buffer.from('some text'));
  await json('POST', '/users', { userId: 'user', email: 'user@example.com', name: 'User' });
  await json('PATCH', '/users/user/status', { status: true });
  const { secret } = (await json('POST', '/users/user/sessions', {})).json();
  const { jwt } = (await json('POST', '/users/user/jwts', { duration: 3600 })).json();
  return { cookie: `a_session_p1=${secret}`, jwt: String(jwt) };
}

test(`${settings.requests} malformed requests cause no error of the server, and each is answered`, async () => {
  await using server = await startBackendProcess(ownFolder());
  const random = createRandom(settings.seed);
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  let credentials: Credentials = { cookie: '', jwt: '' };
  const nonsense = createNonsense(random, server.routes, () => credentials);
  let left = 0;
  const work = async () => {
    while (left-- > 0) {
      const sent = nonsense.next();
      const outcome = await send(server.port, sent);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (isFault(outcome)) faults.push(`${outcome}: ${sent.bytes.toString('latin1').slice(0, 1500)}`);
    }
  };
  for (let done = 0; done < settings.requests && faults.length < 20; done += RENEW_EVERY) {
    credentials = await furnish(createClient(server.endpoint));
    left = Math.min(RENEW_EVERY, settings.requests - done);
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  if (settings.verbose) console.log(outcomes);
  expect({ seed: settings.seed, faults }).toEqual({ seed: settings.seed, faults: [] });
}, 3_600_000);
