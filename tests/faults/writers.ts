import { createHash } from 'node:crypto';
import { Broken, type Client, type Reply } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';

export const DOCUMENTS = '/databases/d/collections/c/documents';
export const FILES = '/storage/buckets/b/files';
const CHUNK = 5 * 1024 * 1024;
const KEPT = 40;

export interface ChunkedUpload {
  readonly id: string;
  readonly bytes: Buffer;
  readonly arrived: Set<number>;
}

export interface Work {
  readonly client: Client;
  readonly random: Random;
  readonly documents: Ledger;
  readonly files: Ledger;
  readonly uploads: Map<string, ChunkedUpload>;
  readonly faults: string[];
  readonly answered: { documents: number; files: number; chunks: number };
}

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns a string that identifies a document's state by all of its fields. */
export const stateOf = ({ title, n, text }: Record<string, unknown>): string =>
  `${title} ${n} ${digestOf(Buffer.from(String(text)))}`;

function expect(reply: Reply, ...statuses: number[]): void {
  if (!statuses.includes(reply.status)) throw new Error(`${reply.status} ${reply.body.toString().slice(0, 200)}`);
}

/** Repeats `step` until the connection breaks; any other error is recorded as a fault. */
async function untilKilled({ faults }: Work, step: () => Promise<void>): Promise<void> {
  try {
    for (;;) await step();
  } catch (error) {
    if (!(error instanceof Broken)) faults.push((error as Error).message);
  }
}

let serial = 0;
const freshId = (kind: string) => `${kind}-${serial++}`;

async function writeDocument({ client, random, documents, answered }: Work): Promise<void> {
  const [title, n, text] = [`t${random.integer(0, 1e6)}`, random.integer(0, 1e9), 'x'.repeat(random.integer(0, 4000))];
  const data = { title, n, text };
  const known = documents.settled;
  const act = known.length < KEPT ? 'POST' : random.pick(['POST', 'POST', 'PATCH', 'DELETE'] as const);
  const id = act === 'POST' ? freshId('doc') : random.pick(known);
  const path = act === 'POST' ? DOCUMENTS : `${DOCUMENTS}/${id}`;
  const body = { POST: { documentId: id, data }, PATCH: { data }, DELETE: {} }[act];
  const status = { POST: 201, PATCH: 200, DELETE: 204 }[act];
  const write = async () => expect(await client.json(act, path, body), status);
  await documents.write(id, act === 'DELETE' ? undefined : stateOf(data), write);
  answered.documents++;
}

async function writeFile({ client, random, files, answered }: Work): Promise<void> {
  const known = files.settled;
  if (known.length > KEPT && random.chance(0.6)) {
    const id = random.pick(known);
    await files.write(id, undefined, async () => expect(await client.json('DELETE', `${FILES}/${id}`, {}), 204));
  } else {
    const id = freshId('file');
    const bytes = random.bytes(random.pick([1, 100, 5000, 70_000, 300_000]));
    await files.write(id, digestOf(bytes), async () => expect(await client.upload(FILES, id, bytes), 201));
  }
  answered.files++;
}

/** Sends one missing chunk of an upload: the first chunk before all others, which follow in random order. */
export async function sendChunk(work: Work, { id, bytes, arrived }: ChunkedUpload): Promise<void> {
  const { client, random, files, uploads, answered } = work;
  const count = Math.ceil(bytes.length / CHUNK);
  const missing = Array.from({ length: count }, (_, i) => i).filter((i) => !arrived.has(i));
  const chunk = arrived.size === 0 ? 0 : random.pick(missing);
  const [start, end] = [chunk * CHUNK, Math.min((chunk + 1) * CHUNK, bytes.length)];
  const range = { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` };
  const headers = chunk > 0 ? { ...range, 'x-appwrite-id': id } : range;
  const send = async () => {
    // The server answers 200 if an interrupted attempt has already stored this chunk.
    expect(await client.upload(FILES, id, bytes.subarray(start, end), headers), 201, 200);
    arrived.add(chunk);
  };
  if (missing.length === 1) {
    await files.write(id, digestOf(bytes), send);
    uploads.delete(id);
  } else {
    await send();
  }
  answered.chunks++;
}

async function writeLarge(work: Work, mine: Set<string>): Promise<void> {
  const { random, uploads } = work;
  let upload = [...mine].map((id) => uploads.get(id)).find((found) => found !== undefined);
  if (!upload) {
    const id = freshId('large');
    upload = { id, bytes: random.bytes(random.integer(CHUNK + 1, 3 * CHUNK)), arrived: new Set() };
    uploads.set(id, upload);
    mine.add(id);
  }
  await sendChunk(work, upload);
}

export async function writeUntilKilled(work: Work): Promise<void> {
  const open = [...work.uploads.keys()];
  const [first, second] = [new Set(open.filter((_, i) => i % 2 === 0)), new Set(open.filter((_, i) => i % 2 === 1))];
  await Promise.all([
    ...Array.from({ length: 8 }, () => untilKilled(work, () => writeDocument(work))),
    ...Array.from({ length: 4 }, () => untilKilled(work, () => writeFile(work))),
    untilKilled(work, () => writeLarge(work, first)),
    untilKilled(work, () => writeLarge(work, second)),
  ]);
}
