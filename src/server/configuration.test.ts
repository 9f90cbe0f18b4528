import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError, readConfiguration, VARIABLES } from './configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'common-ink-configuration-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('without any variable', () => {
  const configuration = readConfiguration({ DATA_DIR: folder });

  it('serves on 127.0.0.1:4321 under that address', () => {
    expect(configuration).toMatchObject({ host: '127.0.0.1', port: 4321, siteUrl: 'http://127.0.0.1:4321' });
  });

  it('uses the embedded backend under its own /v1 with the documented ids', () => {
    expect(configuration.site).toMatchObject({
      endpoint: '/v1',
      projectId: 'common-ink',
      databaseId: 'blog',
      collectionId: 'articles',
      revisionsId: 'revisions',
      bucketId: 'media',
    });
    expect(configuration.appwrite.serverEndpoint).toBe('http://127.0.0.1:4321/v1');
  });

  it('makes one server key, keeps it and lets only its owner read it', () => {
    const key = configuration.appwrite.apiKey;
    expect(key).toMatch(/^standard_[0-9a-f]{64}$/);
    expect(readConfiguration({ DATA_DIR: folder }).appwrite.apiKey).toBe(key);
    expect(statSync(join(folder, 'server-key')).mode & 0o777).toBe(0o600);
    // A key without a database is taken for a site that lost it.
    expect(existsSync(join(folder, 'backend', 'backend.sqlite'))).toBe(true);
  });

  it('lets pages on localhost and 127.0.0.1 call the backend, from this port', () => {
    expect(configuration.embedded).toMatchObject({
      ownOrigins: ['http://127.0.0.1:4321', 'http://localhost:4321', 'http://[::1]:4321'],
      webOrigins: [],
    });
  });
});

it('lets only the site’s own origin call the backend when the site is public, besides the clients that are named', () => {
  const { embedded } = readConfiguration({
    SITE_URL: 'https://ink.example.com',
    EMBEDDED_WEB_ORIGINS: 'app.example.com, *.example.org, https://app.example.net:8443',
  });
  expect(embedded.ownOrigins).toEqual(['https://ink.example.com']);
  expect(embedded.webOrigins).toEqual(['app.example.com', '*.example.org', 'https://app.example.net:8443']);
});

it.each(['https://app.example.com/path', 'ftp://app.example.com', 'https://a@b', 'app.example.com/x'])(
  'takes no %s for a web client',
  (client) =>
    expect(() => readConfiguration({ EMBEDDED_WEB_ORIGINS: client })).toThrow(
      'EMBEDDED_WEB_ORIGINS must be host names',
    ),
);

it.each([
  ['security@example.com', 'mailto:security@example.com'],
  ['mailto:security@example.com', 'mailto:security@example.com'],
  ['https://example.com/security', 'https://example.com/security'],
])('names %s as whom to tell of a hole in the site', (contact, address) => {
  expect(readConfiguration({ DATA_DIR: folder, SECURITY_CONTACT: contact }).publishing.securityContact).toBe(address);
});

it.each(['example.com', 'http://example.com/security', 'a@b\nExpires: never', '@'])(
  'takes no %j for a contact',
  (contact) => expect(() => readConfiguration({ SECURITY_CONTACT: contact })).toThrow('SECURITY_CONTACT must be'),
);

it('believes the proxies that are named, and none unless named', () => {
  expect(readConfiguration({ DATA_DIR: folder }).trustedProxies).toEqual([]);
  const { trustedProxies } = readConfiguration({ DATA_DIR: folder, TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' });
  expect(trustedProxies).toEqual(['loopback', '10.0.0.0/8']);
  expect(() => readConfiguration({ TRUSTED_PROXIES: 'nginx' })).toThrow('TRUSTED_PROXIES must be addresses');
});

it('bounds what a writer stores, unless the operator says otherwise', () => {
  expect(readConfiguration({ DATA_DIR: folder }).embedded).toMatchObject({
    quotaMegabytes: 1024,
    reserveMegabytes: undefined,
  });
  const { embedded } = readConfiguration({ DATA_DIR: folder, UPLOAD_QUOTA_MB: '0', DISK_RESERVE_MB: '64' });
  expect(embedded).toMatchObject({ quotaMegabytes: 0, reserveMegabytes: 64 });
  expect(() => readConfiguration({ UPLOAD_QUOTA_MB: '-1' })).toThrow('UPLOAD_QUOTA_MB must be 0 megabytes or more');
  expect(() => readConfiguration({ DISK_RESERVE_MB: '1.5' })).toThrow('DISK_RESERVE_MB must be a whole number');
});

it('counts empty variables as not set', () => {
  expect(readConfiguration({ PORT: '', SITE_URL: '' })).toMatchObject({ port: 4321, siteUrl: 'http://127.0.0.1:4321' });
});

it('copies pictures from the public internet, and from what the operator names, unless it is switched off', () => {
  const copies = (environment: NodeJS.ProcessEnv) =>
    readConfiguration({ DATA_DIR: folder, ...environment }).publishing.remotePictures;
  expect(copies({})?.hosts.size).toBe(0);
  expect(copies({ PICTURE_COPY_ALLOW: 'wiki.intra, 10.1.0.0/16' })?.hosts).toEqual(new Set(['wiki.intra']));
  expect(copies({ PICTURE_COPY_ALLOW: '10.1.0.0/16' })?.networks.check('10.1.2.3')).toBe(true);
  expect(copies({ PICTURE_COPY: 'off' })).toBeUndefined();
  expect(() => copies({ PICTURE_COPY_ALLOW: 'https://wiki.intra' })).toThrow('PICTURE_COPY_ALLOW must be host names');
});

it('takes the trailing slash off SITE_URL', () => {
  expect(readConfiguration({ SITE_URL: 'https://ink.example.com/' }).siteUrl).toBe('https://ink.example.com');
});

it('takes a site’s address that is nothing but its origin, in its usual form', () => {
  expect(readConfiguration({ SITE_URL: 'HTTPS://Ink.Example.com:443' }).siteUrl).toBe('https://ink.example.com');
  for (const SITE_URL of [
    'https://a.example/blog',
    'https://a.example?x',
    'https://a.example#x',
    'https://u:p@a.example',
  ])
    expect(() => readConfiguration({ SITE_URL })).toThrow('SITE_URL must have no path');
});

it('refuses a token that no header can carry, and a host that is none', () => {
  for (const REBUILD_TOKEN of ['words with spaces 1234', 'schlüssel-des-betreibers'])
    expect(() => readConfiguration({ REBUILD_TOKEN })).toThrow('REBUILD_TOKEN must be of letters');
  expect(() => readConfiguration({ HOST: '999.1.1.1' })).toThrow('HOST must be a host name or an IP address');
});

it('refuses secrets that strangers may guess', () => {
  for (const name of ['REBUILD_TOKEN', 'WEBHOOK_SECRET', 'PEER_SECRET']) {
    expect(() => readConfiguration({ [name]: '0123456789abcde' })).toThrow(
      `${name} must be at least 16 characters long`,
    );
    expect(() => readConfiguration({ [name]: 'x'.repeat(40) })).toThrow(`${name} is easy to guess`);
    expect(() => readConfiguration({ [name]: '12341234123412341234' })).toThrow(`${name} is easy to guess`);
    expect(() => readConfiguration({ [name]: '0123456789abcdef' })).not.toThrow();
  }
});

it('reaches itself over loopback when it listens everywhere', () => {
  expect(readConfiguration({ HOST: '0.0.0.0', PORT: '8080' }).appwrite.serverEndpoint).toBe('http://127.0.0.1:8080/v1');
  expect(readConfiguration({ HOST: '::', PORT: '8080' }).appwrite.serverEndpoint).toBe('http://[::1]:8080/v1');
});

it('reports every variable that cannot be used at once', () => {
  const read = () => readConfiguration({ PORT: 'x', SITE_URL: 'nowhere', APPWRITE_PROJECT_ID: '_a' });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(/PORT.*\n.*SITE_URL.*\n.*APPWRITE_PROJECT_ID/);
});

it.each([
  ['ftp://example.com/v1', /http/],
  ['https://example.com', /end in \/v1/],
])('refuses the endpoint %s', (APPWRITE_ENDPOINT, message) => {
  expect(() => readConfiguration({ APPWRITE_ENDPOINT })).toThrow(message);
});

it.each([
  ['a'.repeat(36), true],
  ['a'.repeat(37), false],
  ['.a', false],
  ['A-b_c.d', true],
])('id %s: %s', (APPWRITE_BUCKET_ID, accepted) => {
  const read = () => readConfiguration({ APPWRITE_BUCKET_ID });
  if (accepted) expect(read).not.toThrow();
  else expect(read).toThrow(/APPWRITE_BUCKET_ID/);
});

describe('other instances and a CDN', () => {
  const publishing = (environment: NodeJS.ProcessEnv) =>
    readConfiguration({ DATA_DIR: folder, ...environment }).publishing;
  const remote = { APPWRITE_ENDPOINT: 'https://appwrite.example.com/v1' };

  it('pages of a remote Appwrite are rendered again after ten minutes, unless told otherwise', () => {
    expect(publishing({}).maximumAge).toBeUndefined();
    expect(publishing(remote).maximumAge).toBe(600);
    expect(publishing({ ...remote, PAGES_MAX_AGE: '0' }).maximumAge).toBeUndefined();
    expect(publishing({ PAGES_MAX_AGE: '30' }).maximumAge).toBe(30);
  });

  it('peers need a shared secret', () => {
    const PEERS = 'http://10.0.0.2:4321/, http://10.0.0.3:4321';
    expect(() => publishing({ PEERS })).toThrow('PEERS needs PEER_SECRET');
    expect(publishing({ PEERS, PEER_SECRET: 'sixteen-or-more-x' }).peers).toEqual([
      'http://10.0.0.2:4321',
      'http://10.0.0.3:4321',
    ]);
    expect(() => publishing({ PEERS: 'here' })).toThrow('PEERS must be addresses');
  });

  it('each CDN says what it needs', () => {
    expect(() => publishing({ CDN_PROVIDER: 'fastly' })).toThrow(
      'CDN_PROVIDER=fastly needs CDN_TOKEN.\nCDN_PROVIDER=fastly needs CDN_ZONE.',
    );
    expect(() => publishing({ CDN_PROVIDER: 'akamai' })).toThrow('CDN_PROVIDER must be cloudflare');
    expect(() => publishing({ CDN_PROVIDER: 'generic', CDN_PURGE_URL: 'http://varnish' })).toThrow('CDN_PURGE_URL');
    expect(publishing({ CDN_PROVIDER: 'generic', CDN_PURGE_URL: 'http://varnish:6081{path}' }).cdn).toMatchObject({
      provider: 'generic',
      maxAge: 86_400,
    });
    expect(publishing({}).cdn).toBeUndefined();
  });
});

describe('mail', () => {
  const mailOf = (environment: NodeJS.ProcessEnv) =>
    readConfiguration({ DATA_DIR: folder, ...environment }).embedded.mail;
  const needed = { SMTP_HOST: 'mail.example.com', MAIL_FROM: 'blog@example.com' };

  it('is off without a server', () => {
    expect(mailOf({})).toBeUndefined();
    expect(mailOf({ MAIL_FROM: 'blog@example.com' })).toBeUndefined();
  });

  it('comes from the site by its name, unless the sender has one', () => {
    expect(mailOf({ ...needed, SITE_NAME: 'Ink' })?.from).toEqual({ address: 'blog@example.com', name: 'Ink' });
    expect(mailOf({ ...needed, MAIL_FROM: 'The Blog <blog@example.com>' })?.from).toEqual({
      address: 'blog@example.com',
      name: 'The Blog',
    });
  });

  it.each([
    [{}, 587, 'auto'],
    [{ SMTP_PORT: '465' }, 465, 'ssl'],
    [{ SMTP_SECURE: 'ssl' }, 465, 'ssl'],
    [{ SMTP_SECURE: 'TLS', SMTP_PORT: '25' }, 25, 'tls'],
    [{ SMTP_SECURE: 'none' }, 587, 'none'],
    [{ SMTP_USERNAME: 'blog' }, 587, 'tls'],
    [{ SMTP_USERNAME: 'blog', SMTP_HOST: 'localhost' }, 587, 'auto'],
    [{ SMTP_USERNAME: 'blog', SMTP_SECURE: 'none' }, 587, 'none'],
  ])('with %j goes to port %i, secured by %s', (environment, port, secure) => {
    expect(mailOf({ ...needed, ...environment })).toMatchObject({ port, secure });
  });

  it('is set by the names of a self-hosted Appwrite, too', () => {
    const theirs = {
      _APP_SMTP_HOST: 'smtp.example.org',
      _APP_SMTP_PORT: '2525',
      _APP_SMTP_SECURE: 'tls',
      _APP_SMTP_USERNAME: 'them',
      _APP_SMTP_PASSWORD: 'their secret',
      _APP_SYSTEM_EMAIL_ADDRESS: 'team@example.org',
      _APP_SYSTEM_EMAIL_NAME: 'The Team',
    };
    expect(mailOf(theirs)).toEqual({
      host: 'smtp.example.org',
      port: 2525,
      secure: 'tls',
      username: 'them',
      password: 'their secret',
      from: { address: 'team@example.org', name: 'The Team' },
    });
    expect(mailOf({ ...theirs, ...needed })).toMatchObject({
      host: 'mail.example.com',
      from: { address: 'blog@example.com' },
    });
  });

  it.each([
    [{ SMTP_HOST: 'mail.example.com' }, 'SMTP_HOST needs MAIL_FROM'],
    [{ ...needed, SMTP_HOST: 'smtp://mail' }, 'SMTP_HOST must be a host name'],
    [{ ...needed, SMTP_PORT: '0' }, 'SMTP_PORT must be'],
    [{ ...needed, SMTP_SECURE: 'yes' }, 'SMTP_SECURE must be tls'],
    [{ ...needed, MAIL_FROM: 'blog' }, 'MAIL_FROM must be an e-mail address'],
    [{ ...needed, MAIL_FROM: 'a@b, c@d' }, 'MAIL_FROM must be an e-mail address'],
  ])('cannot be set by %j', (environment, fault) => expect(() => mailOf(environment)).toThrow(fault));
});

it('the list for operators has every variable, each with its default', () => {
  const list = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8').split('# --- tests ---')[0] ?? '';
  const given = Object.fromEntries(
    [...list.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  expect(Object.keys(given).sort()).toEqual([...VARIABLES].sort());
  // Reading the key would make one.
  const plain = (environment: NodeJS.ProcessEnv) => {
    const { appwrite, ...rest } = readConfiguration(environment);
    return { ...rest, endpoint: appwrite.endpoint, access: appwrite.access };
  };
  expect(plain(given)).toEqual(plain({}));
});

describe('backups by the clock', () => {
  const needed = { BACKUP_EVERY: '24h', BACKUP_DIR: '/var/backups' };

  it('are off unless they are set', () => expect(readConfiguration({}).backups).toBeUndefined());

  it.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('every %s', (given, every) => {
    const { backups } = readConfiguration({ ...needed, BACKUP_EVERY: given });
    expect(backups).toEqual({ every, directory: '/var/backups', keep: '7d,4w,12m' });
  });

  it.each([
    [{ BACKUP_EVERY: '24h' }, 'BACKUP_EVERY needs BACKUP_DIR'],
    [{ ...needed, BACKUP_EVERY: '0h' }, 'BACKUP_EVERY must be a number and s, m, h or d'],
    [{ ...needed, BACKUP_EVERY: 'daily' }, 'BACKUP_EVERY must be a number and s, m, h or d'],
    [{ ...needed, BACKUP_KEEP: '7 days' }, 'BACKUP_KEEP must be a list'],
    [{ ...needed, DATA_DIR: '/srv/data', BACKUP_DIR: '/srv/data/backups' }, 'BACKUP_DIR must not lie in DATA_DIR'],
    [{ ...needed, DATA_DIR: '/srv/data', BACKUP_DIR: '/srv/data' }, 'BACKUP_DIR must not lie in DATA_DIR'],
    [{ ...needed, APPWRITE_ENDPOINT: 'https://a.example/v1' }, 'BACKUP_EVERY is for the embedded backend'],
  ])('cannot be set by %j', (environment, fault) => expect(() => readConfiguration(environment)).toThrow(fault));

  it('may lie beside the data', () => {
    const beside = { ...needed, DATA_DIR: '/srv/data', BACKUP_DIR: '/srv/data-backups' };
    expect(readConfiguration(beside).backups?.directory).toBe('/srv/data-backups');
  });
});
