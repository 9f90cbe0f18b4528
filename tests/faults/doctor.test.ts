/** The doctor: nothing to say of a sound site, and the right thing of each that is not. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request as ask, createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Databases, Storage } from 'node-appwrite';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { examine } from '#operations/doctor/examine.ts';
import type { DoctorSite, Finding } from '#operations/doctor/site.ts';
import { readConfiguration } from '#server/configuration.ts';
import { doctorSite } from '../../scripts/doctor/doctor-site.ts';
import { freePort } from '../../src/server/free-port.ts';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
const TOKEN = 'the-token-of-the-operator';
const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'common-ink-doctor-'));
const cleanups: (() => unknown)[] = [];
let site: RunningSite;
let writer: Writer;
let environment: NodeJS.ProcessEnv;
/** As it lies when the server has ended. */
let stopped: string;

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

async function command(name: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, [join(SCRIPTS, `${name}.ts`), ...args], {
    env: { ...process.env, ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said };
}

beforeAll(async () => {
  site = await ownSite({ environment: { REBUILD_TOKEN: TOKEN } });
  environment = { PORT: new URL(site.url).port, DATA_DIR: site.dataDirectory, REBUILD_TOKEN: TOKEN };
  writer = await site.writer();
  await site.post(writer, { id: 'published' });
  await site.post(writer, { id: 'draft', status: 'inactive' });
  expect((await fetch(`${site.url}/post/published`)).status).toBe(200);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const made = await command('backup', [backups, '--check']);
  expect(made, made.said).toMatchObject({ code: 0 });
  await site.stop();
  stopped = join(folder, 'stopped');
  cpSync(site.dataDirectory, stopped, { recursive: true });
  await site.start();
  expect((await fetch(`${site.url}/post/published`)).status).toBe(200);
}, 300_000);

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(async () => {
  if (site) await removeSite(site);
  rmSync(folder, { recursive: true, force: true });
});

/** What is found with other settings, in another view of the same site. */
async function findings(more: NodeJS.ProcessEnv = {}, view: Partial<DoctorSite> = {}): Promise<Finding[]> {
  const given = { ...environment, ...more };
  return examine({ ...(await doctorSite(readConfiguration(given), given)), ...view });
}

/** A copy of the stopped site's data, to be damaged. */
function copied(): string {
  const copy = mkdtempSync(join(folder, 'data-'));
  cpSync(stopped, copy, { recursive: true });
  return copy;
}

function changed(sql: string): NodeJS.ProcessEnv {
  const copy = copied();
  const database = new DatabaseSync(join(copy, 'backend', 'backend.sqlite'));
  database.exec(sql);
  database.close();
  return { DATA_DIR: copy };
}

/** Some stored file of a copy. */
function blobIn(copy: string): string {
  const files = join(copy, 'backend', 'storage', 'files');
  const [name = ''] = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((each) =>
    statSync(join(files, each)).isFile(),
  );
  return join(files, name);
}

async function listening(server: Server | ReturnType<typeof createNetServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Serves with a certificate made for `name`. */
async function withCertificate(name: string, ...validity: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...made, ...subject, ...validity], { stdio: 'pipe' });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end());
  const port = await listening(server);
  return { SITE_URL: `https://localhost:${port}`, TRUSTED_PROXIES: 'loopback' };
}

/** A site of its own behind a proxy, which answers as `spoil` says; ids of what is found of the proxy. */
async function foundBehind(spoil?: (headers: Headers) => Headers | string): Promise<string[]> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const upstream = await ownSite({ environment: { SITE_URL: address } });
  cleanups.push(() => removeSite(upstream));
  if (spoil) {
    const server = createServer((request, response) => {
      const headers = { ...request.headers, host: `127.0.0.1:${port}` };
      ask(upstream.url + request.url, { headers }, (asked) => {
        const given = spoil(new Headers(asked.headers as Record<string, string>));
        if (typeof given === 'string') {
          asked.resume();
          response.end(given);
        } else asked.pipe(response.writeHead(asked.statusCode ?? 500, Object.fromEntries(given)));
      }).end();
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
  }
  const more = { PORT: new URL(upstream.url).port, DATA_DIR: upstream.dataDirectory, SITE_URL: address };
  return (await findings(more)).map(({ id }) => id).filter((id) => id.startsWith('proxy.'));
}

async function smtp(options: ConstructorParameters<typeof SMTPServer>[0]): Promise<NodeJS.ProcessEnv> {
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], ...options });
  server.on('error', () => {});
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { SMTP_HOST: '127.0.0.1', SMTP_PORT: `${port}`, MAIL_FROM: 'blog@example.com' };
}

test('of a sound site there is nothing to say', async () => {
  expect(await findings()).toEqual([]);
  const told = await command('doctor', []);
  expect(told, told.said).toMatchObject({ code: 0 });
  expect(told.said.trim()).toBe('Nothing is wrong.');
  expect(JSON.parse((await command('doctor', ['--json'])).said)).toEqual([]);
});

type Injected = NodeJS.ProcessEnv | readonly [NodeJS.ProcessEnv, Partial<DoctorSite>];

const FAULTS: Readonly<Record<string, readonly [id: string, inject: () => Injected | Promise<Injected>]>> = {
  'a misspelt setting': ['configuration.unknown', () => ({ SITE_TITEL: 'A blog' })],
  'a setting of a former release': ['configuration.gone', () => ({ WORKERS: '2' })],
  'a public address without TLS': ['configuration.plain-http', () => ({ SITE_URL: 'http://blog.example.com' })],
  'a proxy that is not trusted': ['configuration.no-trusted-proxy', () => ({ SITE_URL: 'https://localhost' })],
  'a port that is open past the proxy': [
    'configuration.open-port',
    () => ({ SITE_URL: 'https://localhost', HOST: '0.0.0.0', TRUSTED_PROXIES: 'loopback' }),
  ],
  'a disk with too little room': ['disk.full', () => ({ DISK_RESERVE_MB: '999999999' })],
  'a data folder that cannot be written': [
    'disk.not-writable',
    () => {
      const file = join(folder, 'a-file');
      writeFileSync(file, '');
      return { DATA_DIR: file };
    },
  ],
  'a data folder that others can read': [
    'disk.open-folder',
    () => {
      const copy = copied();
      chmodSync(copy, 0o755);
      return { DATA_DIR: copy };
    },
  ],
  'a server key that others can read': [
    'disk.open-key',
    () => {
      chmodSync(join(site.dataDirectory, 'server-key'), 0o644);
      cleanups.push(() => chmodSync(join(site.dataDirectory, 'server-key'), 0o600));
      return {};
    },
  ],
  'what an interrupted backup left': [
    'disk.left-over',
    () => {
      const left = join(site.dataDirectory, '.backup-abc');
      mkdirSync(left);
      utimesSync(left, new Date(Date.now() - 2 * DAY), new Date(Date.now() - 2 * DAY));
      cleanups.push(() => rmSync(left, { recursive: true, force: true }));
      return {};
    },
  ],
  'sources newer than the build': [
    'build.stale',
    async () => {
      const real = await doctorSite(readConfiguration(environment), environment);
      return [{}, { tools: { ...real.tools, isBuildStale: () => true } }];
    },
  ],
  'no server': ['process.none', async () => ({ DATA_DIR: copied(), PORT: `${await freePort()}` })],
  'a server on another port': ['process.other-port', async () => ({ PORT: `${await freePort()}` })],
  'another program at the port': [
    'process.port-taken',
    async () => ({ PORT: `${await listening(createServer((_, response) => response.end('hello')))}` }),
  ],
  'another site at the port': ['process.port-taken', () => ({ SITE_URL: 'http://other.localhost:4321' })],
  'a database that is damaged': [
    'data.damaged',
    () => {
      const copy = copied();
      const file = join(copy, 'backend', 'backend.sqlite');
      const bytes = readFileSync(file);
      bytes.fill(0x5a, 4096 * 3, 4096 * 6);
      writeFileSync(file, bytes);
      return { DATA_DIR: copy };
    },
  ],
  'a database that is no database': [
    'data.damaged',
    () => {
      const copy = copied();
      writeFileSync(join(copy, 'backend', 'backend.sqlite'), 'nothing of the kind '.repeat(1000));
      return { DATA_DIR: copy };
    },
  ],
  'a database of a newer release': ['data.newer', () => changed('PRAGMA user_version = 9999')],
  'a row that belongs to nothing': [
    'data.damaged',
    () => changed("PRAGMA foreign_keys = OFF; UPDATE sessions SET user_id = 'nobody'"),
  ],
  'a stored file that is gone': [
    'data.file',
    () => {
      const copy = copied();
      rmSync(blobIn(copy));
      return { DATA_DIR: copy };
    },
  ],
  'a stored file with another byte': [
    'data.file',
    () => {
      const copy = copied();
      const blob = blobIn(copy);
      const bytes = readFileSync(blob);
      bytes[20] = (bytes[20] as number) ^ 1;
      writeFileSync(blob, bytes);
      return { DATA_DIR: copy };
    },
  ],
  'a server key that is gone': [
    'data.no-server-key',
    () => {
      const copy = copied();
      rmSync(join(copy, 'server-key'));
      return { DATA_DIR: copy, APPWRITE_API_KEY: 'another-key-of-the-operator', PORT: '9' };
    },
  ],
  'an index that is missing': [
    'backend.schema',
    async () => {
      const place = { databaseId: 'blog', collectionId: 'articles' };
      const { indexes } = await new Databases(site.admin()).listIndexes(place);
      await new Databases(site.admin()).deleteIndex({ ...place, key: indexes[0]?.key ?? '' });
      cleanups.push(() => command('provision', []));
      return {};
    },
  ],
  'a remote Appwrite that is away': [
    'backend.remote',
    () => ({ APPWRITE_ENDPOINT: 'http://127.0.0.1:9/v1', APPWRITE_API_KEY: 'standard_a-key-of-that-one' }),
  ],
  'a remote Appwrite without this project': [
    'backend.remote',
    () => ({
      APPWRITE_ENDPOINT: `${site.url}/v1`,
      APPWRITE_PROJECT_ID: 'another',
      APPWRITE_API_KEY: 'standard_a-key-of',
    }),
  ],
  'a stored page of a post that is not published': [
    'pages.not-published',
    async () => {
      const real = await doctorSite(readConfiguration(environment), environment);
      return [{}, { tools: { ...real.tools, storedPages: () => ['/', '/post/published', '/post/draft'] } }];
    },
  ],
  'a published post that cannot be read': [
    'pages.not-shown',
    async () => {
      const real = await doctorSite(readConfiguration(environment), environment);
      const { posts, files } = await real.tools.content();
      const gone = { slug: 'nowhere', isPublished: true, featuredImage: '', files: [] };
      return [{}, { tools: { ...real.tools, content: async () => ({ posts: [...posts, gone], files }) } }];
    },
  ],
  'a post without its picture': [
    'pictures.missing',
    async () => {
      const { featuredImage } = await site.post(writer, { id: 'without-picture' });
      await new Storage(site.admin()).deleteFile({ bucketId: 'media', fileId: featuredImage });
      const place = { databaseId: 'blog', collectionId: 'articles' };
      cleanups.push(() => new Databases(site.admin()).deleteDocument({ ...place, documentId: 'without-picture' }));
      return {};
    },
  ],
  'a picture that no post names': [
    'pictures.unused',
    async () => {
      const fileId = await site.upload(writer, readFileSync(join(SCRIPTS, '../docs/screenshot.png')), 'a.png');
      cleanups.push(() => new Storage(site.admin()).deleteFile({ bucketId: 'media', fileId }));
      return [{ PICTURE_SWEEP: 'off' }, { now: Date.now() + 40 * DAY }];
    },
  ],
  'no backup': [
    'backups.none',
    () => {
      const copy = copied();
      rmSync(join(copy, 'backups.json'));
      return { DATA_DIR: copy };
    },
  ],
  'a backup that is old': ['backups.old', () => [{}, { now: Date.now() + 10 * DAY }]],
  'a schedule that is not kept': [
    'backups.old',
    () => [{ BACKUP_EVERY: '24h', BACKUP_DIR: folder }, { now: Date.now() + 3 * DAY }],
  ],
  'a scheduled backup that failed': [
    'backups.failed',
    () => recorded((record) => ({ ...record, failed: { at: new Date().toISOString(), why: 'no room' } })),
  ],
  'backups that nobody has tried': ['backups.not-checked', () => recorded(({ last }) => ({ last }))],
  'a backup that is gone': [
    'backups.gone',
    () => recorded((record) => ({ ...record, last: { ...(record.last as object), file: '/nowhere/a.zip' } })),
  ],
  'a mail server that is away': [
    'mail.refused',
    () => ({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '9', MAIL_FROM: 'blog@example.com' }),
  ],
  'a mail server that refuses the password': [
    'mail.refused',
    async () => ({
      ...(await smtp({ allowInsecureAuth: true, onAuth: (_, __, done) => done(new Error('no')) })),
      SMTP_USERNAME: 'blog',
      SMTP_PASSWORD: 'wrong',
      SMTP_SECURE: 'none',
    }),
  ],
  'a name that nobody knows': ['dns.unknown', () => ({ SITE_URL: 'http://nowhere.invalid' })],
  'a certificate that has expired': [
    'tls.expired',
    async () => [await withCertificate('localhost', '-days', '365'), { now: Date.now() + 400 * DAY }],
  ],
  'a certificate that nobody trusts': ['tls.not-trusted', () => withCertificate('localhost', '-days', '365')],
  'a clock that is behind': [
    'clock.wrong',
    () => {
      const copy = copied();
      const later = new Date(Date.now() + 3_600_000);
      utimesSync(join(copy, 'backend', 'backend.sqlite'), later, later);
      return { DATA_DIR: copy };
    },
  ],
};

/** A copy of the data with another record of backups. */
function recorded(change: (record: Readonly<Record<string, unknown>>) => object): NodeJS.ProcessEnv {
  const copy = copied();
  const file = join(copy, 'backups.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)));
  return { DATA_DIR: copy };
}

for (const [name, [id, inject]] of Object.entries(FAULTS)) {
  test(`${name} is found`, async () => {
    const injected = await inject();
    const [more, view] = Array.isArray(injected)
      ? (injected as [NodeJS.ProcessEnv, Partial<DoctorSite>])
      : [injected as NodeJS.ProcessEnv, {}];
    const found = await findings(more, view);
    expect(found.map((each) => each.id)).toContain(id);
    for (const { id: each, evidence, mend } of found) {
      expect(each).not.toMatch(/\.failed$(?<!backups\.failed)/);
      expect(evidence).not.toBe('');
      expect(mend).not.toBe('');
    }
  });
}

test('a setting that cannot be used is found, and nothing else is looked at', async () => {
  const { code, said } = await command('doctor', ['--json'], { PORT: 'http' });
  expect(code).toBe(1);
  expect(JSON.parse(said)).toMatchObject([
    { id: 'configuration.unusable', evidence: 'PORT must be a number from 1 to 65535.' },
  ]);
});

test('a proxy that is silent, leads elsewhere, or changes what is sent, is found; a faithful one is not', async () => {
  expect(await foundBehind()).toEqual(['proxy.silent']);
  expect(await foundBehind(() => 'hello')).toEqual(['proxy.other-site']);
  const withoutTag = (headers: Headers) => {
    headers.delete('etag');
    return headers;
  };
  expect(await foundBehind(withoutTag)).toEqual(['proxy.changes-answers']);
  expect(await foundBehind((headers) => headers)).toEqual([]);
});

test('a certificate for another name, or one that ends soon, is found; of a good one there is nothing to say', async () => {
  const ids = async (environment: NodeJS.ProcessEnv) => {
    const { said } = await command('doctor', ['--json'], {
      ...environment,
      NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
    });
    return (JSON.parse(said) as Finding[]).map(({ id }) => id).filter((id) => id.startsWith('tls.'));
  };
  expect(await ids(await withCertificate('blog.example.com', '-days', '365'))).toEqual(['tls.other-name']);
  expect(await ids(await withCertificate('localhost', '-days', '365'))).toEqual([]);
  expect(await ids(await withCertificate('localhost', '-days', '10'))).toEqual(['tls.expires-soon']);
});

test('--fix mends what can be mended without a loss, and leaves the rest', async () => {
  const key = join(site.dataDirectory, 'server-key');
  const left = join(site.dataDirectory, '.backup-abc');
  chmodSync(key, 0o644);
  mkdirSync(left);
  utimesSync(left, new Date(Date.now() - 2 * DAY), new Date(Date.now() - 2 * DAY));
  const place = { databaseId: 'blog', collectionId: 'articles' };
  const { indexes } = await new Databases(site.admin()).listIndexes(place);
  await new Databases(site.admin()).deleteIndex({ ...place, key: indexes[0]?.key ?? '' });
  const before = await command('doctor', ['--json']);
  expect(before.code).toBe(1);
  expect((JSON.parse(before.said) as Finding[]).map(({ id }) => id).sort()).toEqual([
    'backend.schema',
    'disk.left-over',
    'disk.open-key',
  ]);
  const fixed = await command('doctor', ['--fix']);
  expect(fixed, fixed.said).toMatchObject({ code: 0 });
  expect(await findings()).toEqual([]);
  const left2 = await command('doctor', ['--fix'], { WORKERS: '2' });
  expect(left2.code).toBe(1);
  expect(left2.said).toContain('configuration.gone');
});

test('a mail is sent where somebody asks for it', async () => {
  const received: string[] = [];
  const mail = await smtp({
    authOptional: true,
    onRcptTo: ({ address }, _, done) => {
      received.push(address);
      done();
    },
    onData: (stream, _, done) => void stream.resume().on('end', () => done()),
  });
  const sent = await command('doctor', ['mail', 'ada@example.com'], mail);
  expect(sent, sent.said).toMatchObject({ code: 0 });
  expect(received).toEqual(['ada@example.com']);
  expect(await findings(mail)).toEqual([]);
  expect((await command('doctor', ['mail', 'ada@example.com'])).code).toBe(1);
});
