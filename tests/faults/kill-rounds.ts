/**
 * Kills the server with kill -9 in a loop under concurrent writers; after each restart every answered write must be
 * there and whole.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { type BackendProcess, startBackendProcess } from '../support/backend-process.ts';
import { createClient } from './client.ts';
import { age, inspect, orphans } from './inspect.ts';
import { Ledger } from './ledger.ts';
import { createRandom, type Random } from './random.ts';
import {
  type ChunkedUpload,
  DOCUMENTS,
  digestOf,
  FILES,
  sendChunk,
  stateOf,
  type Work,
  writeUntilKilled,
} from './writers.ts';

export interface KillReport {
  readonly rounds: number;
  readonly answered: Readonly<Work['answered']>;
  readonly verified: number;
  /** Large uploads that continued after a kill and were whole at the end. */
  readonly resumed: number;
  /** Files without a record that kills left behind, and how many remained after the sweep. */
  readonly orphans: { readonly left: number; readonly afterSweep: number };
  readonly faults: readonly string[];
}

async function prepare({ client }: Work): Promise<void> {
  const made = async (path: string, body: unknown) => {
    const { status, body: answer } = await client.json('POST', path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${answer}`);
  };
  await made('/databases', { databaseId: 'd', name: 'd' });
  await made('/databases/d/collections', { collectionId: 'c', name: 'c' });
  const attributes = '/databases/d/collections/c/attributes';
  await made(`${attributes}/string`, { key: 'title', size: 128, required: true });
  await made(`${attributes}/integer`, { key: 'n', required: true });
  await made(`${attributes}/string`, { key: 'text', size: 100_000, required: true });
  await made('/databases/d/collections/c/indexes', { key: 'n', type: 'key', attributes: ['n'] });
  await made('/databases/d/collections/c/indexes', { key: 'text', type: 'fulltext', attributes: ['text'] });
  await made('/storage/buckets', { bucketId: 'b', name: 'b' });
}

/** Reads each of `ids`; a reply other than 200 and 404 is a fault of its own. */
async function verify(work: Work, ledger: Ledger, ids: readonly string[], path: (id: string) => string): Promise<void> {
  const queue = [...ids];
  const check = async () => {
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const { status, body, json } = await work.client.json('GET', path(id));
      if (status !== 200 && status !== 404) work.faults.push(`${id}: ${status} ${body.toString().slice(0, 200)}`);
      const found = status === 404 ? undefined : ledger === work.documents ? stateOf(json()) : digestOf(body);
      const fault = ledger.check(id, found);
      if (fault) work.faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: 8 }, check));
}

async function verifyAll(work: Work): Promise<number> {
  const [documents, files] = [work.documents.ids, work.files.ids];
  await verify(work, work.documents, documents, (id) => `${DOCUMENTS}/${id}`);
  await verify(work, work.files, files, (id) => `${FILES}/${id}/download`);
  work.documents.tidy();
  work.files.tidy();
  return documents.length + files.length;
}

/** Forgets uploads that an interrupted last chunk completed; `verifyAll` has found them. */
function forgetCompleted({ uploads, files }: Work): void {
  const complete = new Set(files.present);
  for (const id of uploads.keys()) if (complete.has(id)) uploads.delete(id);
}

const written = ({ documents, files }: Work['answered']) => documents + files;

/** Waits until the writers are busy, however slow the machine is, and then for a random time. */
async function atWork({ answered, faults }: Work, random: Random): Promise<void> {
  const goal = { written: written(answered) + random.integer(20, 80), chunks: answered.chunks + 1 };
  const busy = () => written(answered) >= goal.written && answered.chunks >= goal.chunks;
  for (let waited = 0; !busy() && faults.length === 0 && waited < 20_000; waited += 10) await wait(10);
  await wait(random.integer(0, 50));
}

async function finishUploads(work: Work): Promise<number> {
  const begun: ChunkedUpload[] = [...work.uploads.values()].filter(({ arrived }) => arrived.size > 0);
  for (const upload of begun) while (work.uploads.has(upload.id)) await sendChunk(work, upload);
  return begun.length;
}

/** Runs the rounds on a new folder and calls `onRound` after each. */
export async function killRounds(
  rounds: number,
  seed: number,
  onRound: (round: number, report: string) => void = () => {},
): Promise<KillReport> {
  const directory = await mkdtemp(join(tmpdir(), 'common-ink-kill-'));
  const random = createRandom(seed);
  let server: BackendProcess = await startBackendProcess(directory, { port: await freePort() });
  const { port } = server;
  const work: Work = {
    client: createClient(server.endpoint),
    random,
    documents: new Ledger(),
    files: new Ledger(),
    uploads: new Map(),
    faults: [],
    answered: { documents: 0, files: 0, chunks: 0 },
  };
  let verified = 0;
  let resumed = 0;
  try {
    await prepare(work);
    for (let round = 1; round <= rounds; round++) {
      const interrupted = new Set(
        [...work.uploads.values()].filter(({ arrived }) => arrived.size > 0).map(({ id }) => id),
      );
      const writing = writeUntilKilled(work);
      await atWork(work, random);
      await server.kill();
      await writing;
      // In a fifth of the rounds the next start is killed as well, at a random moment.
      if (random.chance(0.2)) {
        const starting = startBackendProcess(directory, { port, killAfter: random.integer(0, 400) });
        await starting.then((early) => early.kill()).catch(() => {});
      }
      server = await startBackendProcess(directory, { port });
      verified += await verifyAll(work);
      forgetCompleted(work);
      resumed += [...interrupted].filter((id) => !work.uploads.has(id)).length;
      work.faults.push(...inspect(directory));
      const { documents, files, chunks } = work.answered;
      onRound(round, `${documents} documents, ${files} files, ${chunks} chunks answered; ${work.faults.length} faults`);
    }
    resumed += await finishUploads(work);
    await server.stop();
    // No writer continues an upload of which no chunk was answered.
    const left = orphans(directory).length;
    age(directory, 2);
    server = await startBackendProcess(directory, { port });
    verified += await verifyAll(work);
    const swept = async (patience: number): Promise<number> => {
      const remaining = orphans(directory).length;
      if (remaining === 0 || patience === 0) return remaining;
      await wait(100);
      return swept(patience - 1);
    };
    const afterSweep = await swept(300);
    return { rounds, answered: work.answered, verified, resumed, orphans: { left, afterSweep }, faults: work.faults };
  } finally {
    await server.kill().catch(() => {});
    await rm(directory, { recursive: true, force: true });
  }
}
