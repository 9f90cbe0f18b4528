/**
 * `npm run bench -- backend [--seconds 2] [--slices 3] [--only get,list]`: compares the speed of the embedded backend,
 * with ten thousand posts, to that of a bare `node:http` server that sends the same bytes. The measurements alternate
 * between them in slices, so that other load on the machine affects both.
 */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Query } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { noise } from '../e2e/pictures.ts';
import { type BackendProcess, startBackendProcess } from '../support/backend-process.ts';
import { close, listen } from '../support/gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import * as data from './data.ts';
import { median, table } from './figures.ts';
import { optionsOf } from './options.ts';
import { type RecordedResponse, rawRequest, record } from './raw-request.ts';
import { type Load, needCommands, wrk } from './wrk.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
/** Placeholder in a request, replaced by an id that no other request uses. */
const UNIQUE = '@@@@@@@@@@@@';
const POSTS = 10_000;

/** Targets: `share` of the bare server's rate; `perSecond`, which is ten times the rate of a real Appwrite 1.9.6. */
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
}

function documentCases(collection: string, cookie: string): Case[] {
  const documents = `/v1/databases/${data.DATABASE}/collections/${collection}/documents`;
  const queries = [Query.equal('status', 'active'), Query.orderDesc('$createdAt'), Query.limit(25)];
  const list = queries.map((text, i) => `queries[${i}]=${encodeURIComponent(text)}`).join('&');
  // All of these posts are active, although one in five posts of the collection is not.
  const ids = Array.from({ length: 100 }, (_, i) => `post-${(i * POSTS) / 100}`);
  const guest = data.sdkHeaders();
  const writer = { ...data.sdkHeaders(cookie), 'content-type': 'application/json' };
  const post = {
    documentId: UNIQUE,
    data: data.postData('A new post on paper and ink', 'active'),
    permissions: postPermissions('active', data.AUTHOR),
  };
  return [
    { name: 'get', requests: ids.map((id) => rawRequest('GET', `${documents}/${id}`, guest)) },
    { name: 'list', requests: [rawRequest('GET', `${documents}?${list}`, guest)] },
    { name: 'create', requests: [rawRequest('POST', documents, writer, Buffer.from(JSON.stringify(post)))] },
  ];
}

async function fileCases(backend: BackendProcess, cookie: string): Promise<Case[]> {
  const file = await noise(204_000);
  const files = `/v1/storage/buckets/${data.BUCKET}/files`;
  const { body, type } = await data.uploadForm(file, 'bench-picture', postPermissions('active', data.AUTHOR));
  const headers = { ...data.sdkHeaders(cookie), 'content-type': type };
  await record(backend.port, rawRequest('POST', files, headers, body));
  const image = { ...data.sdkHeaders(), accept: 'image/avif,image/webp,image/*' };
  const query = `?project=${data.sdkHeaders()['x-appwrite-project']}`;
  return [
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
    [Symbol.asyncDispose]: () => close(server),
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
  for (let slice = 0; slice < slices; slice++) {
    own.push(await load(backend.port, bench.seconds));
    others.push(await load(bare.port, bench.seconds));
  }
  return { name, own, bare: others };
}

const speedOf = (loads: readonly Load[]): number => median(loads.map(({ perSecond }) => perSecond));

function row({ name, own, bare }: Measured): string[] {
  const { share, perSecond } = TARGETS[name] ?? {};
  const [speed, other] = [speedOf(own), speedOf(bare)];
  const met = [
    ...(share === undefined ? [] : [`${speed / other >= share ? 'yes' : 'NO'} (share ${share})`]),
    ...(perSecond === undefined ? [] : [`${speed >= perSecond ? 'yes' : 'NO'} (${perSecond}/s)`]),
  ];
  return [
    name,
    speed.toFixed(0),
    other.toFixed(0),
    (speed / other).toFixed(3),
    `${[...own, ...bare].reduce((sum, { faults }) => sum + faults, 0)}`,
    met.join(', '),
  ];
}

async function bench(given: typeof options): Promise<void> {
  const only = given.only.split(',').filter(Boolean);
  using folder = temporaryFolder();
  const directory = folder.path;
  await using backend = await startBackendProcess(directory);
  await using bare = await startBare();
  const cookie = await data.signIn(backend.endpoint);
  const collection = await data.fillCollection(backend.endpoint, POSTS);
  const cases = [...documentCases(collection, cookie), ...(await fileCases(backend, cookie))].filter(
    ({ name }) => only.length === 0 || only.some((wanted) => name.startsWith(wanted)),
  );
  const results: Measured[] = [];
  for (const item of cases) results.push(await measure({ ...given, backend, bare, directory }, item));
  console.log(table([['', 'req/s', 'bare/s', 'share', 'failed', 'target met'], ...results.map(row)]));
}

const options = optionsOf({ seconds: 3, slices: 3, only: '' });
await needCommands('taskset', 'wrk');
await bench(options);
