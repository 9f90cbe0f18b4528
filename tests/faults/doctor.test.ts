import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { request as ask, createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '@common-ink/http/free-port.ts';
import { listen } from '@common-ink/http/listen.ts';
import { ownDirectory } from 'embedded-appwrite';
import { factorKey, sealColumn, startMailServer } from 'embedded-appwrite/testing';
import { Databases, Storage } from 'node-appwrite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { examine } from '#operations/doctor/examine.ts';
import type { DoctorSite, Finding } from '#operations/doctor/site.ts';
import { readConfiguration } from '#server/configuration.ts';
import { doctorSite } from '../../scripts/doctor/doctor-site.ts';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { sharedFolder } from '../support/folder.ts';
import { close } from '../support/gateway.ts';
import { command as commandOf, POSTS, ROOT, started } from './tools.ts';

const TOKEN = 'the-token-of-the-operator';
const DAY = 86_400_000;
/** Keeps idle connections open even if a busy machine reuses them late, so no request meets a closing connection. */
const KEPT = { keepAliveTimeout: 600_000 };
const folder = sharedFolder();
let site: RunningSite;
let writer: Writer;
let environment: NodeJS.ProcessEnv;
let stopped: string;

const command = (name: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  commandOf(name, args, { ...environment, ...more });

beforeAll(async () => {
  site = await ownSite({ environment: { REBUILD_TOKEN: TOKEN } });
  environment = { PORT: new URL(site.url).port, DATA_DIR: site.dataDirectory, REBUILD_TOKEN: TOKEN };
  writer = await site.writer();
  await site.post(writer, { id: 'published' });
  await site.post(writer, { id: 'draft', status: 'inactive' });
  expect((await fetch(`${site.url}/post/published`)).status).toBe(200);
  const backups = join(folder, 'backups');
  fs.mkdirSync(backups);
  const made = await command('backup', [backups, '--check']);
  expect(made, made.said).toMatchObject({ code: 0 });
  await site.stop();
  stopped = join(folder, 'stopped');
  fs.cpSync(site.dataDirectory, stopped, { recursive: true });
  await site.start();
  expect((await fetch(`${site.url}/post/published`)).status).toBe(200);
  return () => removeSite(site);
});

async function findings(more: NodeJS.ProcessEnv = {}, view: Partial<DoctorSite> = {}): Promise<Finding[]> {
  const given = { ...environment, ...more };
  return examine({ ...(await doctorSite(readConfiguration(given), given)), ...view });
}

/** Copies the stopped site's data, applies `change` to the copy, and returns the setting that points to it. */
function copied(change: (copy: string) => void = () => {}): { readonly DATA_DIR: string } {
  const copy = fs.mkdtempSync(join(folder, 'data-'));
  fs.cpSync(stopped, copy, { recursive: true });
  change(copy);
  return { DATA_DIR: copy };
}

const databaseIn = (copy: string) => join(copy, 'backend', 'backend.sqlite');

const changed = (sql: string) =>
  copied((copy) => {
    using database = new DatabaseSync(databaseIn(copy));
    database.exec(sql);
  });

const recorded = (change: (record: Readonly<Record<string, unknown>>) => object) =>
  copied((copy) => {
    const file = join(copy, 'backups.json');
    fs.writeFileSync(file, JSON.stringify(change(JSON.parse(fs.readFileSync(file, 'utf8')))));
  });

function blobIn(copy: string): string {
  const files = join(copy, 'backend', 'storage', 'files');
  const names = fs.readdirSync(files, { recursive: true, encoding: 'utf8' });
  return join(files, names.find((each) => each.includes('/')) ?? '');
}

function damage(path: string, change: (bytes: Buffer) => void): void {
  const bytes = fs.readFileSync(path);
  change(bytes);
  fs.writeFileSync(path, bytes);
}

/** Creates the temporary folder that an interrupted backup leaves behind, dated two days ago. */
function leaveOver(): NodeJS.ProcessEnv {
  const left = join(site.dataDirectory, '.backup-abc');
  fs.mkdirSync(left);
  fs.utimesSync(left, new Date(Date.now() - 2 * DAY), new Date(Date.now() - 2 * DAY));
  onTestFinished(() => fs.rmSync(left, { recursive: true, force: true }));
  return {};
}

function openKey(): NodeJS.ProcessEnv {
  const key = join(site.dataDirectory, 'server-key');
  fs.chmodSync(key, 0o644);
  onTestFinished(() => fs.chmodSync(key, 0o600));
  return {};
}

async function dropIndex(): Promise<number> {
  const databases = new Databases(site.admin());
  const { indexes } = await databases.listIndexes(POSTS);
  await databases.deleteIndex({ ...POSTS, key: indexes[0]?.key ?? '' });
  onTestFinished(() => command('provision', []).then(() => {}));
  return indexes.length - 1;
}

async function withTools(change: (tools: DoctorSite['tools']) => Partial<DoctorSite['tools']>): Promise<Injected> {
  const { tools } = await doctorSite(readConfiguration(environment), environment);
  return [{}, { tools: { ...tools, ...change(tools) } }];
}

async function listening(server: Server, port = 0): Promise<number> {
  await listen(server, port, '127.0.0.1');
  onTestFinished(() => close(server));
  return (server.address() as AddressInfo).port;
}

async function withCertificate(name: string, ...validity: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...made, ...subject, ...validity], { stdio: 'pipe' });
  const [keyText, certText] = [fs.readFileSync(key), fs.readFileSync(cert)];
  const server = createTlsServer({ key: keyText, cert: certText }, (_, response) => response.end());
  const port = await listening(server);
  return { SITE_URL: `https://localhost:${port}`, TRUSTED_PROXIES: 'loopback' };
}

const aboutOf = (found: readonly Finding[], kind: string) =>
  found.filter(({ id }) => id.startsWith(kind)).map(({ id, mend }) => `${id}: ${mend}`);

async function mailServer(options?: Parameters<typeof startMailServer>[0]) {
  const mail = await startMailServer(options);
  onTestFinished(mail.stop);
  return mail;
}
const smtpAt = (port: number) => ({ SMTP_HOST: '127.0.0.1', SMTP_PORT: `${port}`, MAIL_FROM: 'blog@example.com' });

test('of a sound site there is nothing to say', async () => {
  expect(await findings()).toEqual([]);
  const told = await command('doctor', []);
  expect(told, told.said).toMatchObject({ code: 0 });
  expect(told.said.trim()).toBe('No problems found.');
  expect(JSON.parse((await command('doctor', ['--json'])).said)).toEqual([]);
});

test('of a site whose key comes from the environment there is nothing to say', async () => {
  const { DATA_DIR } = copied((copy) => fs.rmSync(join(copy, 'server-key')));
  const own = { DATA_DIR, APPWRITE_API_KEY: 'the-key-of-the-environment', PORT: `${await freePort()}` };
  expect((await findings(own)).map(({ id }) => id)).toEqual(['process.none']);
});

test('a site without a backup is sound, and is advised to make one', async () => {
  const record = join(site.dataDirectory, 'backups.json');
  fs.renameSync(record, join(folder, 'backups.json'));
  onTestFinished(() => fs.renameSync(join(folder, 'backups.json'), record));
  const told = await command('doctor', []);
  expect(told, told.said).toMatchObject({ code: 0 });
  expect(told.said).toMatch(/^\nAdvice: There is no backup\. \(backups\.none\)\n(?: {2}.+\n){2}No problems found\.\n$/);
  const { code, said } = await command('doctor', ['--json']);
  expect(code).toBe(0);
  expect(JSON.parse(said)).toMatchObject([{ id: 'backups.none', isAdvice: true }]);
});

type ViewOf = [NodeJS.ProcessEnv, Partial<DoctorSite>];
type Injected = NodeJS.ProcessEnv | ViewOf;

/** Marks the remedy as a shell command. The test runs it and then expects the problem to be gone. */
const RUN = (mend: string | RegExp) => ({ command: mend });

const COMMANDS = Object.keys(
  (JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: object }).scripts,
);

/** Declares a test that injects a problem and expects the doctor to report it under `id` with the `expected` remedy. */
function fault(
  name: string,
  id: string,
  expected: string | RegExp | ReturnType<typeof RUN>,
  inject: () => Injected | Promise<Injected>,
): void {
  test(`${name} is found, and what mends it is said`, async () => {
    const injected = await inject();
    const [more, view] = Array.isArray(injected) ? (injected as ViewOf) : [injected as NodeJS.ProcessEnv, {}];
    let found = await findings(more, view);
    // The doctor waits only five seconds for a certificate, which may be too short on a busy machine.
    for (let again = 0; again < 5 && id.startsWith('tls.') && !found.some((each) => each.id === id); again++)
      found = await findings(more, view);
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

fault('a misspelt setting', 'configuration.unknown', 'Set SMTP_PASSWORD instead;', () => ({ SMTP_PASWORD: 'x' }));
fault('a setting that there never was', 'configuration.unknown', 'Remove it;', () => ({ SITE_TITEL: 'A blog' }));
fault('a former setting', 'configuration.gone', 'Remove it. To use more than one core', () => ({ WORKERS: '2' }));
const PLAIN = 'set SITE_URL to the https address (docs/operating.md#domain-and-tls)';
fault('an address without TLS', 'configuration.plain-http', PLAIN, () => ({ SITE_URL: 'http://blog.example.com' }));
const BEHIND_TLS = { SITE_URL: 'https://localhost' };
const TRUST = 'Set TRUSTED_PROXIES to the proxy’s address, such as loopback.';
fault('a proxy that is not trusted', 'configuration.no-trusted-proxy', TRUST, () => BEHIND_TLS);
const PAST_IT = { ...BEHIND_TLS, HOST: '0.0.0.0', TRUSTED_PROXIES: 'loopback' };
fault('a port that is open past the proxy', 'configuration.open-port', 'Set HOST=127.0.0.1.', () => PAST_IT);
const FREE = /^Free some space there: du -xh \S+ \| sort -h \| tail\./;
fault('a disk with too little room', 'disk.full', FREE, () => ({ DISK_RESERVE_MB: '999999999' }));
const CHOWN = /chown -R USER \S+a-file\), or set DATA_DIR to another folder/;
fault('a data folder that cannot be written', 'disk.not-writable', CHOWN, () => {
  const file = join(folder, 'a-file');
  fs.writeFileSync(file, '');
  return { DATA_DIR: file };
});
const openFolder = () => copied((copy) => fs.chmodSync(copy, 0o755));
fault('a data folder that others can read', 'disk.open-folder', RUN(/^chmod 700 \S+$/), openFolder);
fault('a server key that others can read', 'disk.open-key', RUN(/^chmod 600 \S+server-key$/), openKey);
fault('what an interrupted backup left', 'disk.left-over', RUN(/^rm -r \S+\.backup-abc$/), leaveOver);
const makeStale = () => withTools(() => ({ isBuildStale: () => true }));
fault('sources newer than the build', 'build.stale', 'npm run build, then restart the server.', makeStale);
const ended = async () => ({ ...copied(), PORT: `${await freePort()}` });
fault('no server', 'process.none', 'npm start, or systemctl start common-ink', ended);
const OTHER_PORT = /^Set PORT to the server’s port, or stop that process: kill \d+\.$/;
fault('a server on another port', 'process.other-port', OTHER_PORT, async () => ({ PORT: `${await freePort()}` }));
const TAKEN = /^Stop it, or set PORT to a free port: ss -ltnp \| grep :\d+$/;
fault('another program at the port', 'process.port-taken', TAKEN, async () => ({
  PORT: `${await listening(createServer(KEPT, (_, response) => response.end('hello')))}`,
}));
const OTHER_SITE = { SITE_URL: 'http://other.localhost:4321' };
fault('another site at the port', 'process.port-taken', TAKEN, () => ({ ...OTHER_SITE, ...copied() }));
const SAME_SETTINGS = 'Give this command the server’s PORT or its SITE_URL.';
fault('a command with another address than the server', 'process.other-settings', SAME_SETTINGS, () => OTHER_SITE);

const RESTORE = /^Stop the server and .*: npm run restore -- \S+\.zip --force$/;
const RESTORE_LOST = /^npm run restore -- \S+\.zip --force$/;
fault('a database that is damaged', 'data.damaged', RESTORE, () =>
  copied((copy) => damage(databaseIn(copy), (bytes) => bytes.fill(0x5a, 4096 * 3, 4096 * 6))),
);
fault('a database that is no database', 'data.damaged', RESTORE, () =>
  copied((copy) => fs.writeFileSync(databaseIn(copy), 'nothing of the kind '.repeat(1000))),
);
fault('a database that is gone', 'data.lost', RESTORE_LOST, () => copied((copy) => fs.rmSync(databaseIn(copy))));
fault('an empty database', 'data.lost', RESTORE_LOST, () => copied((copy) => fs.writeFileSync(databaseIn(copy), '')));
const NEWER = 'Run the newer release, or restore the backup from before the upgrade.';
fault('a database of a newer release', 'data.newer', NEWER, () => changed('PRAGMA user_version = 9999'));
const NOBODY = "PRAGMA foreign_keys = OFF; UPDATE sessions SET user_id = 'nobody'";
fault('a row that belongs to nothing', 'data.damaged', RESTORE, () => changed(NOBODY));
const UNZIP_FILE = RUN(/^unzip -o \S+\.zip backend\/storage\/files\/\S+ -d \S+$/);
fault('a stored file that is gone', 'data.file', UNZIP_FILE, () => copied((copy) => fs.rmSync(blobIn(copy))));
fault('a stored file with another byte', 'data.file', UNZIP_FILE, () =>
  copied((copy) => damage(blobIn(copy), (bytes) => bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20))),
);
const withoutKey = () => ({ ...copied((copy) => fs.rmSync(join(copy, 'server-key'))), PORT: '9' });
fault('a server key that is gone', 'data.no-server-key', RUN(/^unzip -o \S+\.zip server-key -d \S+$/), withoutKey);
const UNSEAL = /^DATA_DIR=\S+\.restored npm run restore -- \S+\.zip && mv \S+server-key \S+ && rm -r \S+\.restored$/;
fault('a server key that is gone, and encrypted in the backup', 'data.no-server-key', RUN(UNSEAL), async () => {
  const more = { ...copied(), BACKUP_PASSPHRASE: 'correct horse battery staple', PORT: '9' };
  const made = await command('backup', [join(more.DATA_DIR, '..', 'encrypted.zip')], more);
  expect(made, made.said).toMatchObject({ code: 0 });
  fs.rmSync(join(more.DATA_DIR, 'server-key'));
  return more;
});
const FORMER_KEY = /^Restore the previous key: set APPWRITE_API_KEY as before, or unzip -o \S+\.zip server-key -d \S+$/;
fault('another key than the one that sealed second factors', 'data.other-server-key', FORMER_KEY, () => {
  const key = factorKey({ keys: [{ secret: 'the-former-key-of-it' }] });
  const sealed = sealColumn('JBSWY3DPEHPK3PXP', key, writer.id);
  return changed(`INSERT INTO authenticators (user_id, secret) VALUES ('${writer.id}', '${sealed}')`);
});
fault('an index that is missing', 'backend.schema', RUN('npm run provision'), () => dropIndex().then(() => ({})));
const DO_THAT = 'Fix this, then run the doctor again.';
const remote = (url: string) => ({ APPWRITE_ENDPOINT: `${url}/v1`, APPWRITE_API_KEY: 'standard_a-key-of-that-one' });
fault('a remote Appwrite that is away', 'backend.remote', DO_THAT, () => remote('http://127.0.0.1:9'));
const another = () => ({ ...remote(site.url), APPWRITE_PROJECT_ID: 'another' });
fault('a remote Appwrite without this project', 'backend.remote', DO_THAT, another);
const CORRECT = 'As an owner, correct them on /site under Settings, or undo the change there.';
fault('a setting written past the screens, and a look that is not there', 'settings.unusable', CORRECT, async () => {
  const place = { databaseId: 'blog', collectionId: 'settings', documentId: 'v0000000001' };
  const data = { settings: '{"name":7,"look":"of-tomorrow","tagline":"Here"}', userId: writer.id };
  await new Databases(site.admin()).createDocument({ ...place, data });
  onTestFinished(() => new Databases(site.admin()).deleteDocument(place).then(() => {}));
  return {};
});
const ADD_NEW = 'If SITE_URL is right, ask them to sign in another way and to add a passkey on their account page.';
fault('a passkey for another host', 'passkeys.other-host', ADD_NEW, async () => {
  const place = { databaseId: 'blog', collectionId: 'passkeys', documentId: 'former' };
  const key = { credentialId: 'former', publicKey: 'pQECAyYgASFYIA', counter: 0, name: 'Phone' };
  const data = { ...key, userId: writer.id, host: 'former.example' };
  await new Databases(site.admin()).createDocument({ ...place, data });
  onTestFinished(() => new Databases(site.admin()).deleteDocument(place).then(() => {}));
  return {};
});
const storeDraft = () => withTools(() => ({ storedPages: () => ['/', '/post/published', '/post/draft'] }));
fault('a stored page of an unpublished post', 'pages.not-published', 'npm run doctor -- --fix', storeDraft);
const SEE_LOG = /^Look for these addresses in the server’s log, then curl -X POST .*\/api\/rebuild$/;
fault('a published post that cannot be read', 'pages.not-shown', SEE_LOG, () =>
  withTools(({ content }) => ({
    async content() {
      const { posts, files } = await content();
      return { posts: [...posts, { slug: 'nowhere', isPublished: true, featuredImage: '', files: [] }], files };
    },
  })),
);
const CHOOSE = 'Edit these posts and choose a picture, or restore the pictures from a backup.';
fault('a post without its picture', 'pictures.missing', CHOOSE, async () => {
  const { featuredImage } = await site.post(writer, { id: 'without-picture' });
  await new Storage(site.admin()).deleteFile({ bucketId: 'media', fileId: featuredImage });
  onTestFinished(() => site.delete('without-picture'));
  return {};
});
const SWEEP = 'Set PICTURE_SWEEP=on, unless another site stores its pictures in this bucket.';
fault('a picture that no post names', 'pictures.unused', SWEEP, async () => {
  const fileId = await site.upload(
    writer,
    fs.readFileSync(join(ROOT, 'tests/import/fixtures/posts/type-sizes/sizes.png')),
    'a.png',
  );
  onTestFinished(() => new Storage(site.admin()).deleteFile({ bucketId: 'media', fileId }).then(() => {}));
  return [{ PICTURE_SWEEP: 'off' }, { now: Date.now() + 110 * DAY }];
});

const BACK_UP = 'npm run backup -- FOLDER --keep 7d,4w,12m --check; or set BACKUP_EVERY and BACKUP_DIR';
const SCHEDULED = { BACKUP_EVERY: '24h', BACKUP_DIR: folder };
fault('no backup', 'backups.none', BACK_UP, () => copied((copy) => fs.rmSync(join(copy, 'backups.json'))));
fault('a backup that is old', 'backups.old', BACK_UP, () => [{}, { now: Date.now() + 10 * DAY }]);
const NOT_KEPT = /^The server’s log says why .* npm run backup -- \/\S+ --check$/;
fault('a schedule that is not kept', 'backups.old', NOT_KEPT, () => [SCHEDULED, { now: Date.now() + 3 * DAY }]);
const FIX_IT = 'Fix this. The server tries again within the hour.';
const failed = () => ({ at: new Date().toISOString(), why: 'no room' });
const recordFailure = () => recorded((record) => ({ ...record, failed: failed() }));
fault('a scheduled backup that failed', 'backups.failed', FIX_IT, recordFailure);
const TRY = /^npm run restore -- \S+\.zip --check$/;
fault('backups that nobody has tried', 'backups.not-checked', TRY, () => recorded(({ last }) => ({ last })));
const lastGone = () => recorded((record) => ({ ...record, last: { ...(record.last as object), file: '/none/a.zip' } }));
const NOW = /Otherwise make one now: npm run backup -- FOLDER --keep 7d,4w,12m --check$/;
fault('a backup that is gone', 'backups.gone', NOW, lastGone);
const SCHEDULED_NOW = /Otherwise make one now: npm run backup -- \/\S+ --check$/;
const scheduledGone = () => ({ ...lastGone(), ...SCHEDULED, BACKUP_KEEP: '90d' });
fault('a scheduled backup that is gone', 'backups.gone', SCHEDULED_NOW, scheduledGone);
const noneYet = () => ({ ...recorded(() => ({})), ...SCHEDULED });
fault('a schedule without a backup so far', 'backups.none', /^npm run backup -- \/\S+ --check$/, noneYet);

const SMTP =
  /^Set SMTP_HOST, .* and SMTP_PASSWORD to your provider’s values\. Then run: npm run doctor -- mail YOUR_ADDRESS$/;
const AWAY = /^Set SMTP_HOST, .*\. Then run: npm run doctor -- mail YOUR_ADDRESS$/;
fault('a mail server that is away', 'mail.refused', AWAY, () => smtpAt(9));
fault('a mail server that refuses the password', 'mail.refused', SMTP, async () => ({
  ...smtpAt((await mailServer({ allowInsecureAuth: true, onAuth: (_, __, done) => done(new Error('no')) })).port),
  ...{ SMTP_USERNAME: 'blog', SMTP_PASSWORD: 'wrong', SMTP_SECURE: 'none' },
}));
const DNS = 'Add an A or AAAA record for nowhere.invalid at your DNS provider, or correct SITE_URL.';
fault('a name that nobody knows', 'dns.unknown', DNS, () => ({ SITE_URL: 'http://nowhere.invalid' }));
const RENEW = 'Renew it: run certbot renew, or restart Caddy and read its log.';
fault('a certificate that has expired', 'tls.expired', RENEW, async () => [
  await withCertificate('localhost', '-days', '365'),
  { now: Date.now() + 400 * DAY },
]);
const PUBLIC = 'Get one from a public authority such as Let’s Encrypt';
const selfSigned = () => withCertificate('localhost', '-days', '365');
fault('a certificate that nobody trusts', 'tls.not-trusted', PUBLIC, selfSigned);
fault('a clock that is behind', 'clock.wrong', 'timedatectl set-ntp true', () =>
  copied((copy) => {
    const later = new Date(Date.now() + 3_600_000);
    fs.utimesSync(databaseIn(copy), later, later);
  }),
);

test('`npm run pages` explains a stored page, or why it cannot', async () => {
  const { id } = await site.post(writer);
  expect(await site.status(`/post/${id}`)).toBe(200);
  const { code, said } = await command('pages', [`/POST/${id}/`]);
  expect(code, said).toBe(0);
  for (const line of [
    `path: /post/${id}`,
    'state: current',
    `reason: backend: post:${id}`,
    'hits: 1',
    `  post:${id}: a change to the post ${id}`,
    `  author:${writer.id}: a change to the author ${writer.id}`,
    '  site: a rebuild of all pages',
  ])
    expect(said.split('\n')).toContain(line);
  for (const [more, path, sentence] of [
    [{}, '/post/none', '/post/none is not stored. It will be rendered when someone requests it.'],
    [{}, 'post/x', 'Usage: npm run pages -- /post/x'],
    [{ REBUILD_TOKEN: 'another-token-of-it' }, '/', 'The server has a different REBUILD_TOKEN than this command.'],
    [{ PORT: `${await freePort()}` }, '/', 'No server answers at http://127.0.0.1:'],
  ] as const)
    expect(await command('pages', [path], more)).toEqual({ code: 1, said: expect.stringContaining(sentence) });
});

test('a setting that cannot be used is found, and nothing else is looked at', async () => {
  const { code, said } = await command('doctor', ['--json'], { PORT: 'http' });
  expect(code).toBe(1);
  const [id, evidence] = ['configuration.unusable', 'PORT must be a number from 1 to 65535.'];
  expect(JSON.parse(said)).toMatchObject([{ id, evidence, mend: 'Correct it; .env.example lists all settings.' }]);
});

test('a proxy that is silent, leads elsewhere, or changes what is sent, is found; a faithful one is not', async () => {
  const port = await freePort();
  const SITE_URL = `http://127.0.0.1:${port}`;
  const upstream = await started({ environment: { SITE_URL } });
  const found = async () =>
    aboutOf(await findings({ PORT: new URL(upstream.url).port, DATA_DIR: upstream.dataDirectory, SITE_URL }), 'proxy.');
  const OPEN = 'Start the proxy, open ports 80 and 443, or correct SITE_URL.';
  expect(await found()).toEqual([`proxy.silent: ${OPEN}`]);

  let spoil: (headers: Headers) => Headers | string = () => 'hello';
  const proxy = createServer(KEPT, (request, response) => {
    const headers = { ...request.headers, host: `127.0.0.1:${port}` };
    ask(upstream.url + request.url, { headers }, (asked) => {
      const given = spoil(new Headers(asked.headers as Record<string, string>));
      if (typeof given !== 'string')
        return asked.pipe(response.writeHead(asked.statusCode ?? 500, Object.fromEntries(given)));
      asked.resume();
      return response.end(given);
    })
      .on('error', () => response.destroy())
      .end();
  });
  await listening(proxy, port);
  const pass = /^proxy\.other-site: Make the proxy forward http\S+ to http\S+ \(docs\/operating\.md#domain-and-tls\)/;
  expect(await found()).toEqual([expect.stringMatching(pass)]);
  spoil = (headers) => new Headers([...headers].filter(([name]) => name !== 'etag'));
  const changes = /^proxy\.changes-answers: Turn off the proxy’s compression, caching and header rules/;
  expect(await found()).toEqual([expect.stringMatching(changes)]);
  spoil = (headers) => headers;
  expect(await found()).toEqual([]);
});

test('a certificate for another name, or one that ends soon, is found; of a good one there is nothing to say', async () => {
  const about = async (name: string, days: string) => {
    const trusted = { ...(await withCertificate(name, '-days', days)), NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') };
    return aboutOf(JSON.parse((await command('doctor', ['--json'], trusted)).said), 'tls.');
  };
  const otherName = 'tls.other-name: Get a certificate for localhost.';
  // Polls, because the doctor waits only five seconds for a certificate, which may be too short on a busy machine.
  await expect.poll(() => about('blog.example.com', '365')).toEqual([otherName]);
  expect(await about('localhost', '365')).toEqual([]);
  const renewal = 'Find out why it is not being renewed: certbot renew --dry-run';
  await expect.poll(() => about('localhost', '10')).toEqual([`tls.expires-soon: ${renewal}`]);
});

test('--fix mends what can be mended without a loss, and leaves the rest', async () => {
  openKey();
  leaveOver();
  await dropIndex();
  const before = await command('doctor', ['--json']);
  const ids = (JSON.parse(before.said) as Finding[]).map(({ id }) => id).sort();
  expect([before.code, ...ids]).toEqual([1, 'backend.schema', 'disk.left-over', 'disk.open-key']);
  const fixed = await command('doctor', ['--fix']);
  expect(fixed, fixed.said).toMatchObject({ code: 0 });
  expect(await findings()).toEqual([]);
  const said = expect.stringContaining('configuration.gone');
  expect(await command('doctor', ['--fix'], { WORKERS: '2' })).toMatchObject({ code: 1, said });
});

test('a server that does not have the data is not set against them, and mends nothing', async () => {
  const left = await dropIndex();
  const more = copied();
  const idsOf = async () => (await findings(more)).map(({ id }) => id);
  expect(await idsOf()).toEqual(['process.port-taken']);
  // Locks the copied data folder, as if another site's server were running on it.
  const { release } = ownDirectory(join(more.DATA_DIR, 'backend'));
  onTestFinished(release);
  fs.writeFileSync(join(more.DATA_DIR, 'server-key'), 'k'.repeat(64));
  expect(await idsOf()).toEqual(['process.other-settings']);
  expect(await command('doctor', ['--fix'], more)).toMatchObject({ code: 1 });
  expect((await new Databases(site.admin()).listIndexes(POSTS)).total).toBe(left);
});

test('a mail is sent where somebody asks for it', async () => {
  const { port, offered } = await mailServer();
  const mail = smtpAt(port);
  const sent = await command('doctor', ['mail', 'ada@example.com'], mail);
  expect(sent, sent.said).toMatchObject({ code: 0 });
  expect(offered).toEqual(['ada@example.com']);
  expect(await findings(mail)).toEqual([]);
  expect((await command('doctor', ['mail', 'ada@example.com'])).code).toBe(1);
});
