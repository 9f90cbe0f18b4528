/** Kills the backend with kill -9 during writes: afterwards every acknowledged write must be present and complete. */
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { startMailServer } from 'embedded-appwrite/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startBackendProcess } from '../support/backend-process.ts';
import { ownFolder } from '../support/folder.ts';
import { Broken, createClient } from './client.ts';
import { age, inspect, orphans } from './inspect.ts';
import { Ledger } from './ledger.ts';
import { createRandom } from './random.ts';
import { settings } from './settings.ts';
import { DOCUMENTS, digestOf, FILES, sendChunk, stateOf, type Work, writeUntilKilled } from './writers.ts';

async function prepare({ client }: Work): Promise<void> {
  const collection = '/databases/d/collections/c';
  for (const [path, body] of [
    ['/databases', { databaseId: 'd', name: 'd' }],
    ['/databases/d/collections', { collectionId: 'c', name: 'c' }],
    [`${collection}/attributes/string`, { key: 'title', size: 128, required: true }],
    [`${collection}/attributes/integer`, { key: 'n', required: true }],
    [`${collection}/attributes/string`, { key: 'text', size: 100_000, required: true }],
    [`${collection}/indexes`, { key: 'n', type: 'key', attributes: ['n'] }],
    [`${collection}/indexes`, { key: 'text', type: 'fulltext', attributes: ['text'] }],
    ['/storage/buckets', { bucketId: 'b', name: 'b' }],
  ] as const) {
    expect((await client.json('POST', path, body)).status, path).toBeLessThan(300);
  }
}

/** Reads and checks everything in a ledger. Any status other than 200 or 404 is reported as a separate fault. */
async function verify(work: Work, ledger: Ledger, path: (id: string) => string): Promise<void> {
  const queue = [...ledger.ids];
  const check = async () => {
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const { status, body, json } = await work.client.json('GET', path(id));
      if (status !== 200 && status !== 404) work.faults.push(`${id}: ${status} ${body.toString().slice(0, 200)}`);
      const found = status === 404 ? undefined : ledger === work.documents ? stateOf(json()) : digestOf(body);
      work.faults.push(...ledger.check(id, found));
    }
  };
  await Promise.all(Array.from({ length: 8 }, check));
  ledger.tidy();
}

async function verifyAll(work: Work): Promise<void> {
  await verify(work, work.documents, (id) => `${DOCUMENTS}/${id}`);
  await verify(work, work.files, (id) => `${FILES}/${id}/download`);
  // An upload may be complete although the connection broke while its last chunk was sent.
  const complete = new Set(work.files.present);
  for (const id of work.uploads.keys()) if (complete.has(id)) work.uploads.delete(id);
}

/** Waits until the writers have made some progress, however slow the machine is, and then for a random time. */
async function atWork({ answered, faults, random }: Work): Promise<void> {
  const written = () => answered.documents + answered.files;
  const [goal, chunks] = [written() + random.integer(20, 80), answered.chunks + 1];
  const busy = () => written() >= goal && answered.chunks >= chunks;
  for (let waited = 0; !busy() && faults.length === 0 && waited < 20_000; waited += 10) await wait(10);
  await wait(random.integer(0, 50));
}

test(`${settings.rounds} rounds of kill -9 under writers lose nothing that was answered`, async () => {
  const directory = ownFolder();
  const random = createRandom(settings.seed);
  const port = await freePort();
  let server = await startBackendProcess(directory, { port });
  const work: Work = {
    ...{ client: createClient(server.endpoint), random, documents: new Ledger(), files: new Ledger() },
    ...{ uploads: new Map(), faults: [], answered: { documents: 0, files: 0, chunks: 0 } },
  };
  try {
    await prepare(work);
    for (let round = 1; round <= settings.rounds; round++) {
      const writing = writeUntilKilled(work);
      await atWork(work);
      await server.kill();
      await writing;
      // In a fifth of the rounds the next start is killed as well, at a random moment.
      if (random.chance(0.2)) {
        const starting = startBackendProcess(directory, { port, killAfter: random.integer(0, 400) });
        await starting.then((early) => early.kill()).catch(() => {});
      }
      server = await startBackendProcess(directory, { port });
      await verifyAll(work);
      work.faults.push(...inspect(directory));
      if (settings.verbose) console.log(round, work.answered, work.faults);
    }
    for (const upload of [...work.uploads.values()].filter(({ arrived }) => arrived.size > 0)) {
      while (work.uploads.has(upload.id)) await sendChunk(work, upload);
    }
    await server.stop();
    // Uploads without an acknowledged chunk are never resumed. Makes them old enough for the server to sweep them.
    age(directory, 2);
    server = await startBackendProcess(directory, { port });
    await verifyAll(work);
    await expect.poll(() => orphans(directory)).toEqual([]);
  } finally {
    await server.kill().catch(() => {});
  }
  expect(work.faults).toEqual([]);
  for (const count of Object.values(work.answered)) expect(count).toBeGreaterThan(0);
}, 3_600_000);

const MAILS = 12;
const MAIL_ROUNDS = 6;

// See docs/decisions/016-mail-and-tokens.md.
test(`${MAIL_ROUNDS} rounds of kill -9 lose no mail whose code was answered`, async () => {
  const directory = ownFolder();
  const server = await startMailServer();
  onTestFinished(server.stop);
  const options = { mail: server.options };
  const answered = new Map<string, string>();
  for (let round = 0; round < MAIL_ROUNDS; round += 1) {
    const backend = await startBackendProcess(directory, { options });
    const { json } = createClient(backend.endpoint);
    let heard = 0;
    const ask = async (_: unknown, i: number) => {
      const email = `round${round}-${i}@example.com`;
      const reply = await json('POST', '/account/tokens/email', { userId: 'unique()', email }).catch((error) => {
        if (!(error instanceof Broken)) throw error;
      });
      if (reply?.status === 201) answered.set(email, String(reply.json().secret));
      heard += 1;
      // Kills the backend when half of the requests have been answered but fewer emails have been sent.
      if (heard === MAILS / 2) await backend.kill();
    };
    await Promise.all(Array.from({ length: MAILS }, ask));
  }
  await using _last = await startBackendProcess(directory, { options });
  expect(answered.size).toBeGreaterThanOrEqual((MAIL_ROUNDS * MAILS) / 2);
  for (const [email, code] of answered) expect((await server.mailTo(email)).email.text?.split('\n')).toContain(code);
});
