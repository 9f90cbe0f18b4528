/**
 * `npm run bench -- backend [--seconds 2] [--slices 3] [--large 100000] [--only get,list]`: compares the embedded
 * backend's speed with a bare `node:http` server that sends the same bytes. Slices of both alternate, so that other
 * load on the machine affects both.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postPermissions } from '#blog/permissions.ts';
import { noise } from '../e2e/pictures.ts';
import { type BackendProcess, startBackendProcess } from '../support/backend-process.ts';
import { close, listen } from '../support/gateway.ts';
import * as data from './data.ts';
import { median, table } from './figures.ts';
import { optionsOf } from './options.ts';
import { type RecordedResponse, rawRequest, record } from './raw-request.ts';
import { type Load, needCommands, wrk } from './wrk.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
/** Placeholder in a request for an id that no other request has. */
const UNIQUE = '@@@@@@@@@@@@';
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
  readonly own: readonly Load[];
  readonly bare: readonly Load[];
  /** Processor time of the backend in microseconds per request, hardly affected by other load. */
  readonly processor: number;
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
    documentId: UNIQUE,
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
  const file = await noise(204_000);
  const permissions = postPermissions('active', data.AUTHOR);
  const files = `/v1/storage/buckets/${data.BUCKET}/files`;
  const upload = async (fileId: string) => {
    const { body, type } = await data.uploadForm(file, fileId, permissions);
    return rawRequest('POST', files, { ...data.sdkHeaders(cookie), 'content-type': type }, body);
  };
  await record(backend.port, await upload('bench-picture'));
  const image = { ...data.sdkHeaders(), accept: 'image/avif,image/webp,image/*' };
  const query = `?project=${data.sdkHeaders()['x-appwrite-project']}`;
  return [
    { name: 'upload', requests: [await upload(UNIQUE)] },
    { name: 'view', requests: [rawRequest('GET', `${files}/bench-picture/view${query}`, image)] },
    {
      name: 'preview',
      requests: [rawRequest('GET', `${files}/bench-picture/preview${query}&width=400&output=webp`, image)],
    },
  ];
}

/** Starts a bare `node:http` server that sends one recorded answer, to measure Node's own cost on this machine. */
async function startBare() {
  let answer: RecordedResponse = { status: 200, headers: [], body: Buffer.alloc(0) };
  const server = createServer((request, response) => {
    const send = () => response.writeHead(answer.status, [...answer.headers]).end(answer.body);
    request.on('data', () => {}).on('end', send);
  });
  return {
    port: Number(new URL(await listen(server)).port),
    answerWith: (recorded: RecordedResponse) => {
      answer = recorded;
    },
    stop: () => close(server),
  };
}

/** Returns a wrk script that sends the requests one after another, each with unique ids. */
function scriptOf(requests: readonly Buffer[]): string {
  const bytes = (request: Buffer) => [...request].map((byte) => `\\${byte}`).join('');
  const texts = requests.map((request) => `"${bytes(request)}"`).join(',');
  return `local texts = {${texts}}
local at, prefix = 0, tostring(os.time()):sub(-6)
request = function()
  at = at + 1
  return (texts[(at - 1) % #texts + 1]:gsub("${UNIQUE}", prefix .. string.format("%06d", at)))
end`;
}

interface Bench {
  readonly backend: BackendProcess;
  readonly bare: Awaited<ReturnType<typeof startBare>>;
  readonly directory: string;
  readonly seconds: number;
  readonly slices: number;
}

async function measure(bench: Bench, { name, requests }: Case): Promise<Measured> {
  const { backend, bare, directory, slices } = bench;
  const script = join(directory, `${name}.lua`);
  await writeFile(script, scriptOf(requests));
  const load = (port: number, seconds: number) =>
    wrk(`http://127.0.0.1:${port}`, { seconds, connections: CONNECTIONS, script });
  await load(backend.port, WARM_UP_SECONDS);
  const first = (requests[0] as Buffer).toString('latin1').replaceAll(UNIQUE, name.padEnd(12, '0').slice(0, 12));
  bare.answerWith(await record(backend.port, Buffer.from(first, 'latin1')));
  await load(bare.port, WARM_UP_SECONDS);
  const [own, others]: [Load[], Load[]] = [[], []];
  let processor = 0;
  for (let slice = 0; slice < slices; slice++) {
    const before = backend.processorTime();
    own.push(await load(backend.port, bench.seconds));
    processor += backend.processorTime() - before;
    others.push(await load(bare.port, bench.seconds));
  }
  const sent = own.reduce((sum, { requests }) => sum + requests, 0);
  return { name, processor: (processor * 1000) / sent, own, bare: others, resident: backend.resident().now };
}

const speedOf = (loads: readonly Load[]): number => median(loads.map(({ perSecond }) => perSecond));

function row({ name, own, bare, processor, resident }: Measured): string[] {
  const { share, perSecond } = TARGETS[name] ?? {};
  const [speed, other] = [speedOf(own), speedOf(bare)];
  const met = [
    ...(share === undefined ? [] : [`${speed / other >= share ? 'yes' : 'NO'} (share ${share})`]),
    ...(perSecond === undefined ? [] : [`${speed >= perSecond ? 'yes' : 'NO'} (${perSecond}/s)`]),
  ];
  return [
    name,
    speed.toFixed(0),
    median(own.map(({ p50 }) => p50)).toFixed(2),
    median(own.map(({ p99 }) => p99)).toFixed(2),
    other.toFixed(0),
    (speed / other).toFixed(3),
    `${[...own, ...bare].reduce((sum, { faults }) => sum + faults, 0)}`,
    processor.toFixed(0),
    (resident / MIB).toFixed(0),
    met.join(', '),
  ];
}

async function bench(given: typeof options): Promise<void> {
  const only = given.only.split(',').filter(Boolean);
  const directory = await mkdtemp(join(tmpdir(), 'common-ink-bench-'));
  let backend = await startBackendProcess(directory);
  const bare = await startBare();
  try {
    console.log(`Ready ${backend.readyAfter.toFixed(0)} ms after the start, empty.`);
    const cookie = await data.signIn(backend.endpoint);
    for (const count of [100, 10_000, given.large]) {
      const begun = performance.now();
      await data.fillCollection(backend.endpoint, count);
      console.log(`${count} posts made in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
    }
    await backend.stop();
    backend = await startBackendProcess(directory);
    console.log(`Ready ${backend.readyAfter.toFixed(0)} ms after the start, with all of them.`);
    const cases = [
      ...casesOf(10_000, 'posts-10000', cookie, ''),
      ...(await fileCases(backend, cookie)),
      ...casesOf(100, 'posts-100', cookie, '-100'),
      ...casesOf(given.large, `posts-${given.large}`, cookie, `-${given.large}`),
    ].filter(({ name }) => only.length === 0 || only.some((wanted) => name.startsWith(wanted)));
    const results: Measured[] = [];
    for (const item of cases) results.push(await measure({ ...given, backend, bare, directory }, item));
    const heading = ['', 'req/s', 'p50 ms', 'p99 ms', 'bare/s', 'share', 'failed', 'CPU µs', 'MiB', 'target met'];
    console.log(`\n${table([heading, ...results.map(row)])}`);
    const find = (name: string) => speedOf(results.find((result) => result.name === name)?.own ?? []);
    for (const name of ['get', 'list', 'deep', 'create']) {
      const ratio = find(`${name}-100`) / find(`${name}-${given.large}`);
      if (!Number.isNaN(ratio))
        console.log(`${name}: ${given.large} documents cost ${ratio.toFixed(2)} times what 100 do`);
    }
    const { now, most } = backend.resident();
    console.log(`Resident memory: ${(now / MIB).toFixed(0)} MiB now, ${(most / MIB).toFixed(0)} MiB at most.`);
  } finally {
    await bare.stop();
    await backend.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

const options = optionsOf({ seconds: 3, slices: 3, large: 100_000, only: '' });
await needCommands('taskset', 'wrk');
await bench(options);
