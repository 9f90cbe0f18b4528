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
import { freePort } from '@common-ink/http/free-port.ts';
import { ownDirectory } from 'embedded-appwrite';
import { factorKey, sealColumn } from 'embedded-appwrite/testing';
import { Databases, Storage } from 'node-appwrite';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { examine } from '#operations/doctor/examine.ts';
import type { DoctorSite, Finding } from '#operations/doctor/site.ts';
import { readConfiguration } from '#server/configuration.ts';
import { doctorSite } from '../../scripts/doctor/doctor-site.ts';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
const TOKEN = 'the-token-of-the-operator';
const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'common-ink-doctor-'));
const cleanups: (() => unknown)[] = [];
let site: RunningSite;
let writer: Writer;
let environment: NodeJS.ProcessEnv;
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

/** Returns the findings with changed settings, or in a changed view of the same site. */
async function findings(more: NodeJS.ProcessEnv = {}, view: Partial<DoctorSite> = {}): Promise<Finding[]> {
  const given = { ...environment, ...more };
  return examine({ ...(await doctorSite(readConfiguration(given), given)), ...view });
}

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

async function withCertificate(name: string, ...validity: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...made, ...subject, ...validity], { stdio: 'pipe' });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end());
  const port = await listening(server);
  return { SITE_URL: `https://localhost:${port}`, TRUSTED_PROXIES: 'loopback' };
}

/**
 * Runs a site behind a proxy whose answers `spoil` changes; returns the ids of the findings about the proxy, with
 * their remedies.
 */
async function foundBehind(spoil?: (headers: Headers) => Headers | string): Promise<(readonly [string, string])[]> {
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
  const found = await findings(more);
  return found.filter(({ id }) => id.startsWith('proxy.')).map(({ id, mend }) => [id, mend]);
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

test('of a site whose key comes from the environment there is nothing to say', async () => {
  const copy = copied();
  rmSync(join(copy, 'server-key'));
  const own = { DATA_DIR: copy, APPWRITE_API_KEY: 'the-key-of-the-environment', PORT: `${await freePort()}` };
  expect((await findings(own)).map(({ id }) => id)).toEqual(['process.none']);
});

test('a site without a backup is sound, and is advised to make one', async () => {
  const young = await ownSite();
  cleanups.push(() => removeSite(young));
  const own = { DATA_DIR: young.dataDirectory, PORT: new URL(young.url).port };
  const told = await command('doctor', [], own);
  expect(told, told.said).toMatchObject({ code: 0 });
  expect(told.said).toMatch(/^\nAdvice: There is no backup\. \(backups\.none\)\n(?: {2}.+\n){2}Nothing is wrong\.\n$/);
  const { code, said } = await command('doctor', ['--json'], own);
  expect(code).toBe(0);
  expect(JSON.parse(said)).toMatchObject([{ id: 'backups.none', isAdvice: true }]);
});

type Injected = NodeJS.ProcessEnv | readonly [NodeJS.ProcessEnv, Partial<DoctorSite>];

/** A remedy that is a command; the test runs it and expects the fault to be gone. */
const RUN = (mend: string | RegExp) => ({ command: mend });
type Mend = string | RegExp | ReturnType<typeof RUN>;

const FAULTS: Readonly<Record<string, readonly [id: string, mend: Mend, inject: () => Injected | Promise<Injected>]>> =
  {
    'a misspelt setting': [
      'configuration.unknown',
      'Set SMTP_PASSWORD in its place;',
      () => ({ SMTP_PASWORD: 'secret' }),
    ],
    'a setting that there never was': ['configuration.unknown', 'Remove it;', () => ({ SITE_TITEL: 'A blog' })],
    'a setting of a former release': [
      'configuration.gone',
      'Remove it. To use more than one core',
      () => ({ WORKERS: '2' }),
    ],
    'a public address without TLS': [
      'configuration.plain-http',
      'set SITE_URL to the https address (docs/operating.md#domain-and-tls)',
      () => ({ SITE_URL: 'http://blog.example.com' }),
    ],
    'a proxy that is not trusted': [
      'configuration.no-trusted-proxy',
      'Set TRUSTED_PROXIES to the proxy’s address, such as loopback.',
      () => ({ SITE_URL: 'https://localhost' }),
    ],
    'a port that is open past the proxy': [
      'configuration.open-port',
      'Set HOST=127.0.0.1.',
      () => ({ SITE_URL: 'https://localhost', HOST: '0.0.0.0', TRUSTED_PROXIES: 'loopback' }),
    ],
    'a disk with too little room': [
      'disk.full',
      /^Free some space there: du -xh \S+ \| sort -h \| tail\./,
      () => ({ DISK_RESERVE_MB: '999999999' }),
    ],
    'a data folder that cannot be written': [
      'disk.not-writable',
      /chown -R USER \S+a-file\), or set DATA_DIR to another folder/,
      () => {
        const file = join(folder, 'a-file');
        writeFileSync(file, '');
        return { DATA_DIR: file };
      },
    ],
    'a data folder that others can read': [
      'disk.open-folder',
      RUN(/^chmod 700 \S+$/),
      () => {
        const copy = copied();
        chmodSync(copy, 0o755);
        return { DATA_DIR: copy };
      },
    ],
    'a server key that others can read': [
      'disk.open-key',
      RUN(/^chmod 600 \S+server-key$/),
      () => {
        chmodSync(join(site.dataDirectory, 'server-key'), 0o644);
        cleanups.push(() => chmodSync(join(site.dataDirectory, 'server-key'), 0o600));
        return {};
      },
    ],
    'what an interrupted backup left': [
      'disk.left-over',
      RUN(/^rm -r \S+\.backup-abc$/),
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
      'npm run build, then restart the server.',
      async () => {
        const real = await doctorSite(readConfiguration(environment), environment);
        return [{}, { tools: { ...real.tools, isBuildStale: () => true } }];
      },
    ],
    'no server': [
      'process.none',
      'npm start, or systemctl start common-ink',
      async () => ({ DATA_DIR: copied(), PORT: `${await freePort()}` }),
    ],
    'a server on another port': [
      'process.other-port',
      /^Set PORT as for the server, or stop that process: kill \d+\.$/,
      async () => ({ PORT: `${await freePort()}` }),
    ],
    'another program at the port': [
      'process.port-taken',
      /^Stop that one, or set PORT to a free one: ss -ltnp \| grep :\d+$/,
      async () => ({ PORT: `${await listening(createServer((_, response) => response.end('hello')))}` }),
    ],
    'another site at the port': [
      'process.port-taken',
      /^Stop that one, or set PORT to a free one: ss -ltnp \| grep :\d+$/,
      () => ({ SITE_URL: 'http://other.localhost:4321', DATA_DIR: copied() }),
    ],
    'a command with another address than the server': [
      'process.other-settings',
      'Set PORT, or SITE_URL, for this command as for the server.',
      () => ({ SITE_URL: 'http://other.localhost:4321' }),
    ],
    'a database that is damaged': [
      'data.damaged',
      /^Stop the server and .*: npm run restore -- \S+\.zip --force$/,
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
      /^Stop the server and .*: npm run restore -- \S+\.zip --force$/,
      () => {
        const copy = copied();
        writeFileSync(join(copy, 'backend', 'backend.sqlite'), 'nothing of the kind '.repeat(1000));
        return { DATA_DIR: copy };
      },
    ],
    'a database that is gone': [
      'data.lost',
      /^npm run restore -- \S+\.zip --force$/,
      () => {
        const copy = copied();
        rmSync(join(copy, 'backend', 'backend.sqlite'));
        return { DATA_DIR: copy };
      },
    ],
    'a database without a byte': [
      'data.lost',
      /^npm run restore -- \S+\.zip --force$/,
      () => {
        const copy = copied();
        writeFileSync(join(copy, 'backend', 'backend.sqlite'), '');
        return { DATA_DIR: copy };
      },
    ],
    'a database of a newer release': [
      'data.newer',
      'Run the newer release, or restore the backup from before the upgrade.',
      () => changed('PRAGMA user_version = 9999'),
    ],
    'a row that belongs to nothing': [
      'data.damaged',
      /^Stop the server and .*: npm run restore -- \S+\.zip --force$/,
      () => changed("PRAGMA foreign_keys = OFF; UPDATE sessions SET user_id = 'nobody'"),
    ],
    'a stored file that is gone': [
      'data.file',
      RUN(/^unzip -o \S+\.zip backend\/storage\/files\/\S+ -d \S+$/),
      () => {
        const copy = copied();
        rmSync(blobIn(copy));
        return { DATA_DIR: copy };
      },
    ],
    'a stored file with another byte': [
      'data.file',
      RUN(/^unzip -o \S+\.zip backend\/storage\/files\/\S+ -d \S+$/),
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
      RUN(/^unzip -o \S+\.zip server-key -d \S+$/),
      () => {
        const copy = copied();
        rmSync(join(copy, 'server-key'));
        return { DATA_DIR: copy, PORT: '9' };
      },
    ],
    'a server key that is gone, and encrypted in the backup': [
      'data.no-server-key',
      RUN(/^DATA_DIR=\S+\.restored npm run restore -- \S+\.zip && mv \S+server-key \S+ && rm -r \S+\.restored$/),
      async () => {
        const more = { DATA_DIR: copied(), BACKUP_PASSPHRASE: 'correct horse battery staple', PORT: '9' };
        const made = await command('backup', [join(more.DATA_DIR, '..', 'encrypted.zip')], more);
        expect(made, made.said).toMatchObject({ code: 0 });
        rmSync(join(more.DATA_DIR, 'server-key'));
        return more;
      },
    ],
    'another server key than the one that sealed second factors': [
      'data.other-server-key',
      /^Put the former key back: set APPWRITE_API_KEY as before, or unzip -o \S+\.zip server-key -d \S+$/,
      () => {
        const sealed = sealColumn(
          'JBSWY3DPEHPK3PXP',
          factorKey({ keys: [{ secret: 'the-former-key-of-it' }] }),
          writer.id,
        );
        return changed(`INSERT INTO authenticators (user_id, secret) VALUES ('${writer.id}', '${sealed}')`);
      },
    ],
    'an index that is missing': [
      'backend.schema',
      RUN('npm run provision'),
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
      'Do what it says, then run the doctor again.',
      () => ({ APPWRITE_ENDPOINT: 'http://127.0.0.1:9/v1', APPWRITE_API_KEY: 'standard_a-key-of-that-one' }),
    ],
    'a remote Appwrite without this project': [
      'backend.remote',
      'Do what it says, then run the doctor again.',
      () => ({
        APPWRITE_ENDPOINT: `${site.url}/v1`,
        APPWRITE_PROJECT_ID: 'another',
        APPWRITE_API_KEY: 'standard_a-key-of',
      }),
    ],
    'a stored page of a post that is not published': [
      'pages.not-published',
      'npm run doctor -- --fix',
      async () => {
        const real = await doctorSite(readConfiguration(environment), environment);
        return [{}, { tools: { ...real.tools, storedPages: () => ['/', '/post/published', '/post/draft'] } }];
      },
    ],
    'a published post that cannot be read': [
      'pages.not-shown',
      /^See the server’s log for these addresses; then curl -X POST .*\/api\/rebuild$/,
      async () => {
        const real = await doctorSite(readConfiguration(environment), environment);
        const { posts, files } = await real.tools.content();
        const gone = { slug: 'nowhere', isPublished: true, featuredImage: '', files: [] };
        return [{}, { tools: { ...real.tools, content: async () => ({ posts: [...posts, gone], files }) } }];
      },
    ],
    'a post without its picture': [
      'pictures.missing',
      'Edit these posts and choose a picture, or take it from a backup.',
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
      'Set PICTURE_SWEEP=on, unless another site keeps its pictures in this bucket.',
      async () => {
        const fileId = await site.upload(writer, readFileSync(join(SCRIPTS, '../docs/screenshot.png')), 'a.png');
        cleanups.push(() => new Storage(site.admin()).deleteFile({ bucketId: 'media', fileId }));
        return [{ PICTURE_SWEEP: 'off' }, { now: Date.now() + 110 * DAY }];
      },
    ],
    'no backup': [
      'backups.none',
      'npm run backup -- FOLDER --keep 7d,4w,12m --check; or set BACKUP_EVERY and BACKUP_DIR',
      () => {
        const copy = copied();
        rmSync(join(copy, 'backups.json'));
        return { DATA_DIR: copy };
      },
    ],
    'a backup that is old': [
      'backups.old',
      'npm run backup -- FOLDER --keep 7d,4w,12m --check; or set BACKUP_EVERY and BACKUP_DIR',
      () => [{}, { now: Date.now() + 10 * DAY }],
    ],
    'a schedule that is not kept': [
      'backups.old',
      /^See the server’s log for why .* npm run backup -- \/\S+ --check$/,
      () => [{ BACKUP_EVERY: '24h', BACKUP_DIR: folder }, { now: Date.now() + 3 * DAY }],
    ],
    'a scheduled backup that failed': [
      'backups.failed',
      'Fix what it says; the server tries again within the hour.',
      () => recorded((record) => ({ ...record, failed: { at: new Date().toISOString(), why: 'no room' } })),
    ],
    'backups that nobody has tried': [
      'backups.not-checked',
      /^npm run restore -- \S+\.zip --check$/,
      () => recorded(({ last }) => ({ last })),
    ],
    'a backup that is gone': [
      'backups.gone',
      /otherwise make one now: npm run backup -- FOLDER --keep 7d,4w,12m --check$/,
      () => recorded((record) => ({ ...record, last: { ...(record.last as object), file: '/nowhere/a.zip' } })),
    ],
    'a scheduled backup that is gone': [
      'backups.gone',
      /otherwise make one now: npm run backup -- \/\S+ --check$/,
      () => ({
        ...recorded((record) => ({ ...record, last: { ...(record.last as object), file: '/nowhere/a.zip' } })),
        BACKUP_EVERY: '24h',
        BACKUP_DIR: folder,
        BACKUP_KEEP: '90d',
      }),
    ],
    'a schedule without a backup so far': [
      'backups.none',
      /^npm run backup -- \/\S+ --check$/,
      () => ({ ...recorded(() => ({})), BACKUP_EVERY: '24h', BACKUP_DIR: folder }),
    ],
    'a mail server that is away': [
      'mail.refused',
      /^Set SMTP_HOST, .*; then npm run doctor -- mail YOUR_ADDRESS$/,
      () => ({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '9', MAIL_FROM: 'blog@example.com' }),
    ],
    'a mail server that refuses the password': [
      'mail.refused',
      /^Set SMTP_HOST, .* and SMTP_PASSWORD as your provider says; then npm run doctor -- mail YOUR_ADDRESS$/,
      async () => ({
        ...(await smtp({ allowInsecureAuth: true, onAuth: (_, __, done) => done(new Error('no')) })),
        SMTP_USERNAME: 'blog',
        SMTP_PASSWORD: 'wrong',
        SMTP_SECURE: 'none',
      }),
    ],
    'a name that nobody knows': [
      'dns.unknown',
      'Add an A or AAAA record for nowhere.invalid at your DNS provider, or correct SITE_URL.',
      () => ({ SITE_URL: 'http://nowhere.invalid' }),
    ],
    'a certificate that has expired': [
      'tls.expired',
      'Renew it: certbot renew, or restart Caddy and see its log.',
      async () => [await withCertificate('localhost', '-days', '365'), { now: Date.now() + 400 * DAY }],
    ],
    'a certificate that nobody trusts': [
      'tls.not-trusted',
      'Get one from a public authority such as Let’s Encrypt',
      () => withCertificate('localhost', '-days', '365'),
    ],
    'a clock that is behind': [
      'clock.wrong',
      'timedatectl set-ntp true',
      () => {
        const copy = copied();
        const later = new Date(Date.now() + 3_600_000);
        utimesSync(join(copy, 'backend', 'backend.sqlite'), later, later);
        return { DATA_DIR: copy };
      },
    ],
  };

function recorded(change: (record: Readonly<Record<string, unknown>>) => object): NodeJS.ProcessEnv {
  const copy = copied();
  const file = join(copy, 'backups.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)));
  return { DATA_DIR: copy };
}

const COMMANDS = Object.keys(
  (JSON.parse(readFileSync(join(SCRIPTS, '..', 'package.json'), 'utf8')) as { readonly scripts: object }).scripts,
);

for (const [name, [id, expected, inject]] of Object.entries(FAULTS)) {
  test(`${name} is found, and what mends it is said`, async () => {
    const injected = await inject();
    const [more, view] = Array.isArray(injected)
      ? (injected as [NodeJS.ProcessEnv, Partial<DoctorSite>])
      : [injected as NodeJS.ProcessEnv, {}];
    const found = await findings(more, view);
    const { mend = '' } = found.find((each) => each.id === id) ?? {};
    expect(found.map((each) => each.id)).toContain(id);
    const isRun = typeof expected === 'object' && 'command' in expected;
    expect(mend).toMatch(isRun ? expected.command : expected);
    for (const each of found) {
      expect(each.id).not.toMatch(/\.failed$(?<!backups\.failed)/);
      expect(each.evidence).not.toBe('');
      expect(each.mend).not.toBe('');
      for (const [, script] of each.mend.matchAll(/npm run ([a-z]+)/g)) expect(COMMANDS).toContain(script);
    }
    if (!isRun) return;
    execFileSync('sh', ['-c', mend], { env: { ...process.env, ...environment, ...more }, stdio: 'pipe' });
    expect((await findings(more, view)).map((each) => each.id)).not.toContain(id);
  });
}

test('a setting that cannot be used is found, and nothing else is looked at', async () => {
  const { code, said } = await command('doctor', ['--json'], { PORT: 'http' });
  expect(code).toBe(1);
  expect(JSON.parse(said)).toMatchObject([
    {
      id: 'configuration.unusable',
      evidence: 'PORT must be a number from 1 to 65535.',
      mend: 'Correct it; .env.example lists all settings.',
    },
  ]);
});

test('a proxy that is silent, leads elsewhere, or changes what is sent, is found; a faithful one is not', async () => {
  expect(await foundBehind()).toEqual([
    ['proxy.silent', 'Start the proxy, open ports 80 and 443, or correct SITE_URL.'],
  ]);
  expect(await foundBehind(() => 'hello')).toEqual([
    [
      'proxy.other-site',
      expect.stringMatching(/^Let the proxy pass http\S+ on to http\S+ \(docs\/operating\.md#domain-and-tls\)/),
    ],
  ]);
  const withoutTag = (headers: Headers) => {
    headers.delete('etag');
    return headers;
  };
  expect(await foundBehind(withoutTag)).toEqual([
    ['proxy.changes-answers', expect.stringMatching(/^Turn compression, caching and header rules of the proxy off/)],
  ]);
  expect(await foundBehind((headers) => headers)).toEqual([]);
});

test('a certificate for another name, or one that ends soon, is found; of a good one there is nothing to say', async () => {
  const certificateFindings = async (environment: NodeJS.ProcessEnv) => {
    const { said } = await command('doctor', ['--json'], {
      ...environment,
      NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
    });
    const found = JSON.parse(said) as Finding[];
    return found.filter(({ id }) => id.startsWith('tls.')).map(({ id, mend }) => [id, mend]);
  };
  expect(await certificateFindings(await withCertificate('blog.example.com', '-days', '365'))).toEqual([
    ['tls.other-name', 'Get a certificate for localhost.'],
  ]);
  expect(await certificateFindings(await withCertificate('localhost', '-days', '365'))).toEqual([]);
  expect(await certificateFindings(await withCertificate('localhost', '-days', '10'))).toEqual([
    ['tls.expires-soon', 'See why it is not renewed: certbot renew --dry-run'],
  ]);
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

test('a server that does not have the data is not set against them, and mends nothing', async () => {
  const place = { databaseId: 'blog', collectionId: 'articles' };
  const databases = new Databases(site.admin());
  const { indexes } = await databases.listIndexes(place);
  await databases.deleteIndex({ ...place, key: indexes[0]?.key ?? '' });
  cleanups.push(() => command('provision', []));
  const more = { DATA_DIR: copied() };
  const idsOf = async () => (await findings(more)).map(({ id }) => id);
  expect(await idsOf()).toEqual(['process.port-taken']);
  // Stands in for a running server of another site on this data folder.
  const { release } = ownDirectory(join(more.DATA_DIR, 'backend'));
  cleanups.push(release);
  writeFileSync(join(more.DATA_DIR, 'server-key'), 'k'.repeat(64));
  expect(await idsOf()).toEqual(['process.other-settings']);
  expect(await command('doctor', ['--fix'], more)).toMatchObject({ code: 1 });
  expect((await databases.listIndexes(place)).total).toBe(indexes.length - 1);
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
