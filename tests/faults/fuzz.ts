import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BackendProcess, startBackendProcess } from '../support/backend-process.ts';
import { createClient } from './client.ts';
import { type Credentials, createNonsense } from './nonsense.ts';
import { createRandom } from './random.ts';
import { type Outcome, RawClient } from './raw-client.ts';

export interface FuzzReport {
  readonly seed: number;
  readonly routes: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Requests with a forbidden outcome, and that outcome. */
  readonly faults: readonly string[];
  /**
   * Bytes that the heap grew by from the first third of the requests to the last, each measured after a garbage
   * collection.
   */
  readonly heapGrowth: number;
}

const AT_ONCE = 8;
/** Number of requests after which removed or spoilt data is created again. */
const RENEW_EVERY = 150;
/** Statuses that deliberately say that something is not offered, or not now. */
const DELIBERATE: readonly Outcome[] = [501, 503];

const isFault = (outcome: Outcome): boolean =>
  outcome === 'hang' || (typeof outcome === 'number' && outcome >= 500 && !DELIBERATE.includes(outcome));

/** Creates a database, a bucket and a user to work on; existing ones stay. */
async function furnish({ endpoint }: BackendProcess): Promise<void> {
  const { json, form } = createClient(endpoint);
  await json('POST', '/databases', { databaseId: 'd', name: 'd' });
  await json('PUT', '/databases/d', { name: 'd', enabled: true });
  const collection = '/databases/d/collections/c';
  const settings = {
    name: 'c',
    permissions: ['read("any")', 'create("users")'],
    documentSecurity: true,
    enabled: true,
  };
  await json('POST', '/databases/d/collections', { collectionId: 'c', ...settings });
  await json('PUT', collection, settings);
  await json('POST', `${collection}/attributes/string`, { key: 'title', size: 128, required: true });
  await json('POST', `${collection}/attributes/integer`, { key: 'n', required: false });
  await json('POST', `${collection}/attributes/enum`, { key: 'st', elements: ['a', 'b'], required: false });
  await json('POST', `${collection}/attributes/string`, { key: 'tags', size: 20, required: false, array: true });
  await json('POST', `${collection}/indexes`, { key: 'byN', type: 'key', attributes: ['n'] });
  await json('POST', `${collection}/indexes`, { key: 'words', type: 'fulltext', attributes: ['title'] });
  await json('PUT', `${collection}/documents/doc`, { data: { title: 'A title', n: 1 }, permissions: ['read("any")'] });
  await json('POST', '/storage/buckets', { bucketId: 'b', name: 'b', permissions: ['read("any")', 'create("users")'] });
  const file = new FormData();
  file.set('fileId', 'file');
  file.set('file', new Blob(['some text']), 'file.txt');
  await form('/storage/buckets/b/files', file);
  await json('PATCH', '/users/user/status', { status: true });
}

async function signIn({ endpoint }: BackendProcess): Promise<Credentials> {
  const { json } = createClient(endpoint);
  await json('POST', '/users', { userId: 'user', email: 'user@example.com', name: 'User' });
  const { secret } = (await json('POST', '/users/user/sessions', {})).json();
  const { jwt } = (await json('POST', '/users/user/jwts', { duration: 3600 })).json();
  return { cookie: `a_session_p1=${secret}`, jwt: String(jwt) };
}

export async function fuzz(
  count: number,
  seed: number,
  onProgress: (done: number) => void = () => {},
): Promise<FuzzReport> {
  const directory = await mkdtemp(join(tmpdir(), 'common-ink-fuzz-'));
  const server = await startBackendProcess(directory);
  const random = createRandom(seed);
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  const clients = Array.from({ length: AT_ONCE }, () => new RawClient(server.port));
  let done = 0;

  async function heap(): Promise<number> {
    const { heapUsed, external } = await server.memory();
    return heapUsed + external;
  }

  try {
    let credentials: Credentials = { cookie: '', jwt: '' };
    const nonsense = createNonsense(random, server.routes, () => credentials);

    async function one(client: RawClient): Promise<void> {
      const kind = random.next();
      const { method, bytes } =
        kind < 0.95
          ? nonsense.request()
          : { method: '', bytes: kind < 0.98 ? nonsense.notHttp() : nonsense.socketTalk() };
      const outcome = method === '' ? await client.babble(bytes) : await client.ask(method, bytes);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (isFault(outcome)) faults.push(`${outcome}: ${bytes.toString('latin1').slice(0, 1500)}`);
    }

    async function some(many: number): Promise<void> {
      let left = many;
      const work = async (client: RawClient) => {
        while (left > 0) {
          left--;
          await one(client);
          done++;
        }
      };
      await Promise.all(clients.map(work));
    }

    let first: number | undefined;
    while (done < count && faults.length < 20) {
      await furnish(server);
      credentials = await signIn(server);
      await some(Math.min(RENEW_EVERY, count - done));
      if (!first && done * 3 >= count) first = await heap();
      onProgress(done);
    }
    return {
      seed,
      routes: server.routes.length,
      outcomes,
      faults,
      heapGrowth: (await heap()) - (first ?? 0),
    };
  } finally {
    for (const client of clients) client.close();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
