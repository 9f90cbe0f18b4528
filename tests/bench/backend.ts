/**
 * `npm run bench -- backend [--seconds 2] [--slices 3] [--large 100000] [--only get,list]`: compares the embedded
 * backend's speed with a bare `node:http` server that sends the same bytes. Slices of both alternate, so that other
 * load on the machine affects both.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { postPermissions } from '#blog/permissions.ts';
import { type BackendProcess, startBackendProcess } from '../support/backend-process.ts';
import { type BareServer, record, startBare } from './bare.ts';
import { bundledChild } from './bundle.ts';
import * as data from './data.ts';
import { type Figures, figuresOf, table } from './figures.ts';
import { type Load, type LoadResult, rawRequest, startLoad } from './load.ts';

const CONNECTIONS = 16;
const WARM_UP = 0.7;
const MIB = 1024 * 1024;

/** Targets: a share of the bare server's rate, and ten times the rate of a real Appwrite 1.9.6. */
const TARGETS: Readonly<Record<string, { share?: number; perSecond?: number }>> = {
  get: { share: 0.3, perSecond: 5130 },
  list: { share: 0.15, perSecond: 2680 },
  create: { share: 0.08, perSecond: 1730 },
  view: { perSecond: 2630 },
  preview: { perSecond: 2780 },
};

interface Case {
  readonly name: string;
  readonly requests: readonly Buffer[];
}

interface Measured {
  readonly name: string;
  readonly own: Figures;
  readonly bare: Figures;
  /** Processor time of the backend in microseconds per request, hardly affected by other load. */
  readonly processor: number;
  /** Resident memory of the backend after the slice, in bytes. */
  readonly resident: number;
}

const documents = (collection: string) => `/v1/databases/${data.DATABASE}/collections/${collection}/documents`;

function query(method: string, attribute?: string, values?: unknown[]): string {
  return JSON.stringify({ method, ...(attribute && { attribute }), ...(values && { values }) });
}

function listPath(collection: string, ...more: string[]): string {
  const queries = [
    query('equal', 'status', ['active']),
    query('orderDesc', '$createdAt'),
    query('limit', undefined, [25]),
    ...more,
  ];
  return `${documents(collection)}?${queries.map((text, i) => `queries[${i}]=${encodeURIComponent(text)}`).join('&')}`;
}

function spread(count: number, many: number): string[] {
  return Array.from({ length: many }, (_, i) => {
    const number = Math.floor((i * count) / many);
    return `post-${number % 5 === 4 ? number - 1 : number}`;
  });
}

function casesOf(count: number, collection: string, cookie: string, suffix: string): Case[] {
  const guest = data.sdkHeaders();
  const writer = { ...data.sdkHeaders(cookie), 'content-type': 'application/json' };
  const post = {
    documentId: '@@@@@@@@@@@@',
    data: data.postData('A new post on paper and ink', 'active'),
    permissions: postPermissions('active', data.AUTHOR),
  };
  // Newest first: the first request's cursor leaves a full page after it.
  const cursors = spread(count, Math.min(count, 200)).reverse();
  return [
    {
      name: `get${suffix}`,
      requests: spread(count, 100).map((id) => rawRequest('GET', `${documents(collection)}/${id}`, guest)),
    },
    { name: `list${suffix}`, requests: [rawRequest('GET', listPath(collection), guest)] },
    {
      name: `deep${suffix}`,
      requests: cursors.map((id) =>
        rawRequest('GET', listPath(collection, query('cursorAfter', undefined, [id])), guest),
      ),
    },
    {
      name: `create${suffix}`,
      requests: [rawRequest('POST', documents(collection), writer, Buffer.from(JSON.stringify(post)))],
    },
  ];
}

async function fileCases(backend: BackendProcess, cookie: string): Promise<Case[]> {
  const file = await data.picture();
  const permissions = postPermissions('active', data.AUTHOR);
  const files = `/v1/storage/buckets/${data.BUCKET}/files`;
  const upload = (fileId: string) => {
    const { body, type } = data.uploadForm(file, fileId, permissions);
    return rawRequest('POST', files, { ...data.sdkHeaders(cookie), 'content-type': type }, body);
  };
  await record(backend.port, upload('bench-picture'));
  const image = { ...data.sdkHeaders(), accept: 'image/avif,image/webp,image/*' };
  const query = `?project=${data.sdkHeaders()['x-appwrite-project']}`;
  return [
    { name: 'upload', requests: [upload('@@@@@@@@@@@@')] },
    { name: 'view', requests: [rawRequest('GET', `${files}/bench-picture/view${query}`, image)] },
    {
      name: 'preview',
      requests: [rawRequest('GET', `${files}/bench-picture/preview${query}&width=400&output=webp`, image)],
    },
  ];
}

interface Bench {
  readonly backend: BackendProcess;
  readonly bare: BareServer;
  readonly load: Load;
  readonly seconds: number;
  readonly slices: number;
}

async function measure({ backend, bare, load, seconds, slices }: Bench, { name, requests }: Case): Promise<Measured> {
  const encoded = requests.map((request) => request.toString('base64'));
  const order = { requests: encoded, connections: CONNECTIONS };
  await load.run({ ...order, port: backend.port, seconds: WARM_UP });
  const first = requests[0] as Buffer;
  await bare.answerWith(
    await record(
      backend.port,
      Buffer.from(first.toString('latin1').replaceAll('@@@@@@@@@@@@', name.padEnd(12, '0').slice(0, 12)), 'latin1'),
    ),
  );
  await load.run({ ...order, port: bare.port, seconds: WARM_UP });
  const own: LoadResult[] = [];
  const before = backend.processorTime();
  const others: LoadResult[] = [];
  for (let slice = 0; slice < slices; slice++) {
    own.push(await load.run({ ...order, port: backend.port, seconds: seconds / slices }));
    others.push(await load.run({ ...order, port: bare.port, seconds: seconds / slices }));
  }
  const requestsMade = own.reduce((sum, { latencies }) => sum + latencies.length, 0);
  const processor = ((backend.processorTime() - before) * 1000) / requestsMade;
  return { name, processor, own: figuresOf(own), bare: figuresOf(others), resident: backend.resident().now };
}

function verdict({ name, own, bare }: Measured): string {
  const { share, perSecond } = TARGETS[name] ?? {};
  const met = [
    share === undefined ? [] : [`${own.perSecond / bare.perSecond >= share ? 'yes' : 'NO'} (share ${share})`],
    perSecond === undefined ? [] : [`${own.perSecond >= perSecond ? 'yes' : 'NO'} (${perSecond}/s)`],
  ];
  return met.flat().join(', ');
}

function row(measured: Measured): string[] {
  const { name, own, bare, processor, resident } = measured;
  return [
    name,
    own.perSecond.toFixed(0),
    own.p50.toFixed(2),
    own.p99.toFixed(2),
    bare.perSecond.toFixed(0),
    (own.perSecond / bare.perSecond).toFixed(3),
    String(own.failed + bare.failed),
    processor.toFixed(0),
    (resident / MIB).toFixed(0),
    verdict(measured),
  ];
}

async function bench(given: {
  seconds: number;
  slices: number;
  large: number;
  only: readonly string[];
}): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'common-ink-bench-'));
  const service = { child: await bundledChild() };
  let backend = await startBackendProcess(directory, service);
  const bare = await startBare();
  const load = startLoad();
  try {
    console.log(`Ready ${backend.readyAfter.toFixed(0)} ms after the start, empty.`);
    const cookie = await data.signIn(backend.endpoint);
    for (const count of [100, 10_000, given.large]) {
      const begun = performance.now();
      await data.fillCollection(backend.endpoint, count);
      console.log(`${count} posts made in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
    }
    await backend.stop();
    backend = await startBackendProcess(directory, service);
    console.log(`Ready ${backend.readyAfter.toFixed(0)} ms after the start, with all of them.`);
    const cases = [
      ...casesOf(10_000, 'posts-10000', cookie, ''),
      ...(await fileCases(backend, cookie)),
      ...casesOf(100, 'posts-100', cookie, '-100'),
      ...casesOf(given.large, `posts-${given.large}`, cookie, `-${given.large}`),
    ].filter(({ name }) => given.only.length === 0 || given.only.some((wanted) => name.startsWith(wanted)));
    const results: Measured[] = [];
    for (const item of cases) results.push(await measure({ ...given, backend, bare, load }, item));
    const heading = ['', 'req/s', 'p50 ms', 'p99 ms', 'bare/s', 'share', 'failed', 'CPU µs', 'MiB', 'target met'];
    console.log(`\n${table([heading, ...results.map(row)])}`);
    const find = (name: string) => results.find((result) => result.name === name)?.own.perSecond ?? Number.NaN;
    for (const name of ['get', 'list', 'deep', 'create']) {
      const ratio = find(`${name}-100`) / find(`${name}-${given.large}`);
      if (!Number.isNaN(ratio))
        console.log(`${name}: ${given.large} documents cost ${ratio.toFixed(2)} times what 100 do`);
    }
    const { now, most } = backend.resident();
    console.log(`Resident memory: ${(now / MIB).toFixed(0)} MiB now, ${(most / MIB).toFixed(0)} MiB at most.`);
  } finally {
    load.stop();
    bare.stop();
    await backend.stop();
    await rm(service.child);
    await rm(directory, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '3' },
    slices: { type: 'string', default: '3' },
    large: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
  },
});
await bench({
  seconds: Number(values.seconds),
  slices: Number(values.slices),
  large: Number(values.large),
  only: values.only.split(',').filter(Boolean),
});
