import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import { sharedFolder } from '../../tests/support/folder.ts';
import { readConfiguration } from './configuration.ts';

const folder = sharedFolder();
const read = (environment: NodeJS.ProcessEnv = {}) => readConfiguration({ DATA_DIR: folder, ...environment });

it('serves on 127.0.0.1:4321 with the embedded backend when no variable is set, or each is empty', () => {
  for (const environment of [{}, { PORT: '', SITE_URL: '' }]) {
    expect(read(environment)).toMatchObject({
      host: '127.0.0.1',
      port: 4321,
      siteUrl: 'http://127.0.0.1:4321',
      site: {
        ...{ endpoint: '/v1', projectId: 'common-ink', databaseId: 'blog', collectionId: 'articles' },
        ...{ revisionsId: 'revisions', bucketId: 'media' },
      },
      appwrite: { endpoint: undefined, serverEndpoint: 'http://127.0.0.1:4321/v1' },
      embedded: {
        ownOrigins: ['http://127.0.0.1:4321', 'http://localhost:4321', 'http://[::1]:4321'],
        ...{ webOrigins: [], quotaMegabytes: 1024, reserveMegabytes: undefined, mail: undefined },
      },
      backups: undefined,
      trustedProxies: [],
      publishing: { maximumAge: undefined, cdn: undefined },
    });
  }
});

it('makes one server key, keeps it and lets only its owner read it', () => {
  const key = read().appwrite.apiKey;
  expect(key).toMatch(/^standard_[0-9a-f]{64}$/);
  expect(read().appwrite.apiKey).toBe(key);
  expect(statSync(join(folder, 'server-key')).mode & 0o777).toBe(0o600);
  // The database is created too, because a key without a database would mean that the database was lost.
  expect(existsSync(join(folder, 'backend', 'backend.sqlite'))).toBe(true);
});

it('lets only a public site’s own origin and the named clients call the backend', () => {
  const webOrigins = ['app.example.com', '*.example.org', 'https://app.example.net:8443'];
  const { embedded } = read({ SITE_URL: 'https://ink.example.com', EMBEDDED_WEB_ORIGINS: webOrigins.join(', ') });
  expect(embedded).toMatchObject({ ownOrigins: ['https://ink.example.com'], webOrigins });
});

it.each([
  [{ SECURITY_CONTACT: 'security@example.com' }, 'mailto:security@example.com'],
  [{ SECURITY_CONTACT: 'mailto:security@example.com' }, 'mailto:security@example.com'],
  [{ SECURITY_CONTACT: 'https://example.com/security' }, 'https://example.com/security'],
  [{ SITE_URL: 'https://ink.example.com/' }, 'https://ink.example.com'],
  [{ SITE_URL: 'HTTPS://Ink.Example.com:443' }, 'https://ink.example.com'],
  [{ APPWRITE_BUCKET_ID: 'a'.repeat(36) }, 'a'.repeat(36)],
  [{ APPWRITE_BUCKET_ID: 'A-b_c.d' }, 'A-b_c.d'],
  [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://127.0.0.1:8080/v1'],
  [{ HOST: '::', PORT: '8080' }, 'http://[::1]:8080/v1'],
])('reads %j as %s', (environment, value) => {
  const { publishing, siteUrl, site, appwrite } = read(environment);
  expect([publishing.securityContact, siteUrl, site.bucketId, appwrite.serverEndpoint]).toContain(value);
});

it('reads lists, sizes and switches', () => {
  expect(read({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' }).trustedProxies).toEqual(['loopback', '10.0.0.0/8']);
  const { embedded } = read({ UPLOAD_QUOTA_MB: '0', DISK_RESERVE_MB: '64' });
  expect(embedded).toMatchObject({ quotaMegabytes: 0, reserveMegabytes: 64 });
  const peers = ['http://10.0.0.2:4321', 'http://10.0.0.3:4321'];
  const { publishing } = read({ PEERS: peers.join('/, '), PEER_SECRET: 'sixteen-or-more-x' });
  expect(publishing.peers).toEqual(peers);
});

it('copies pictures from the public internet and the named sources unless that is switched off', () => {
  const copies = (environment: NodeJS.ProcessEnv) => read(environment).publishing.remotePictures;
  expect(copies({})?.hosts.size).toBe(0);
  expect(copies({ PICTURE_COPY_ALLOW: 'wiki.intra, 10.1.0.0/16' })?.hosts).toEqual(new Set(['wiki.intra']));
  expect(copies({ PICTURE_COPY_ALLOW: '10.1.0.0/16' })?.networks.check('10.1.2.3')).toBe(true);
  expect(copies({ PICTURE_COPY: 'off' })).toBeUndefined();
});

it('renders pages of a remote Appwrite again after ten minutes unless told otherwise', () => {
  const maximumAge = (environment: NodeJS.ProcessEnv) => read(environment).publishing.maximumAge;
  const remote = { APPWRITE_ENDPOINT: 'https://appwrite.example.com/v1' };
  expect(maximumAge(remote)).toBe(600);
  expect(maximumAge({ ...remote, PAGES_MAX_AGE: '0' })).toBeUndefined();
  expect(maximumAge({ PAGES_MAX_AGE: '30' })).toBe(30);
});

it('reports every variable that cannot be used at once', () => {
  const readAll = () => read({ PORT: 'x', SITE_URL: 'nowhere', APPWRITE_PROJECT_ID: '_a' });
  expect(readAll).toThrow(OperatorError);
  expect(readAll).toThrow(/PORT.*\n.*SITE_URL.*\n.*APPWRITE_PROJECT_ID/);
});

const MAIL = { SMTP_HOST: 'mail.example.com', MAIL_FROM: 'blog@example.com' };
const BOUNCES = { MAIL_BOUNCES: '/var/mail/bounces', MAIL_BOUNCE_ADDRESS: 'bounces@example.com' };
const BACKUPS = { BACKUP_EVERY: '24h', BACKUP_DIR: '/var/backups' };

const REFUSED: readonly (readonly [NodeJS.ProcessEnv, string])[] = [
  ...['https://app.example.com/path', 'ftp://app.example.com', 'https://a@b', 'app.example.com/x'].map(
    (client) => [{ EMBEDDED_WEB_ORIGINS: client }, 'EMBEDDED_WEB_ORIGINS must be host names'] as const,
  ),
  ...['example.com', 'http://example.com/security', 'a@b\nExpires: never', '@'].map(
    (contact) => [{ SECURITY_CONTACT: contact }, 'SECURITY_CONTACT must be'] as const,
  ),
  ...['https://a.example/blog', 'https://a.example?x', 'https://a.example#x', 'https://u:p@a.example'].map(
    (url) => [{ SITE_URL: url }, 'SITE_URL must have no path'] as const,
  ),
  ...['words with spaces 1234', 'schlüssel-des-betreibers'].map(
    (token) => [{ REBUILD_TOKEN: token }, 'REBUILD_TOKEN must consist of ASCII letters'] as const,
  ),
  ...['REBUILD_TOKEN', 'METRICS_TOKEN', 'WEBHOOK_SECRET', 'PEER_SECRET'].flatMap((name) => [
    [{ [name]: '0123456789abcde' }, `${name} must be at least 16 characters long`] as const,
    [{ [name]: '12341234123412341234' }, `${name} is easy to guess`] as const,
  ]),
  ...['a'.repeat(37), '.a'].map((id) => [{ APPWRITE_BUCKET_ID: id }, 'APPWRITE_BUCKET_ID must be 1 to 36'] as const),
  [{ HOST: '999.1.1.1' }, 'HOST must be a host name or an IP address'],
  [{ TRUSTED_PROXIES: 'nginx' }, 'TRUSTED_PROXIES must be addresses'],
  [{ UPLOAD_QUOTA_MB: '-1' }, 'UPLOAD_QUOTA_MB must be 0 megabytes or more'],
  [{ DISK_RESERVE_MB: '1.5' }, 'DISK_RESERVE_MB must be a whole number'],
  [{ PAGES_DISK_MB: '7' }, 'PAGES_DISK_MB must be at least 8 megabytes'],
  [{ PICTURE_COPY_ALLOW: 'https://wiki.intra' }, 'PICTURE_COPY_ALLOW must be host names'],
  [{ APPWRITE_ENDPOINT: 'ftp://example.com/v1' }, 'must be an address that starts with http'],
  [{ APPWRITE_ENDPOINT: 'https://example.com' }, 'must end in /v1'],
  [{ APPWRITE_REVISIONS_ID: 'articles' }, 'APPWRITE_REVISIONS_ID and APPWRITE_COLLECTION_ID must name different'],
  [{ PEERS: 'http://10.0.0.2:4321' }, 'PEERS needs PEER_SECRET'],
  [{ PEERS: 'here' }, 'PEERS must be addresses'],
  [{ CDN_PROVIDER: 'fastly' }, 'CDN_PROVIDER=fastly needs CDN_TOKEN.\nCDN_PROVIDER=fastly needs CDN_ZONE.'],
  [{ CDN_PROVIDER: 'akamai' }, 'CDN_PROVIDER must be cloudflare, fastly, bunny or generic.'],
  [{ CDN_PROVIDER: 'generic', CDN_PURGE_URL: 'http://varnish' }, 'CDN_PURGE_URL must be'],
  [{ SMTP_HOST: 'mail.example.com' }, 'SMTP_HOST needs MAIL_FROM'],
  [{ ...MAIL, SMTP_HOST: 'smtp://mail' }, 'SMTP_HOST must be a host name'],
  [{ ...MAIL, SMTP_PORT: '0' }, 'SMTP_PORT must be'],
  [{ ...MAIL, SMTP_SECURE: 'yes' }, 'SMTP_SECURE must be tls'],
  [{ ...MAIL, MAIL_FROM: 'blog' }, 'MAIL_FROM must be an e-mail address'],
  [{ ...MAIL, MAIL_FROM: 'a@b, c@d' }, 'MAIL_FROM must be an e-mail address'],
  [{ MAIL_BOUNCES: '/var/mail/bounces' }, 'MAIL_BOUNCES needs MAIL_BOUNCE_ADDRESS'],
  [{ MAIL_BOUNCE_ADDRESS: 'bounces@example.com' }, 'MAIL_BOUNCE_ADDRESS needs MAIL_BOUNCES'],
  [{ ...BOUNCES, MAIL_BOUNCES: 'bounces' }, 'MAIL_BOUNCES must be an absolute path'],
  ...['bounces', 'bounces+ink@example.com', `${'b'.repeat(21)}@example.com`].map(
    (address) => [{ ...BOUNCES, MAIL_BOUNCE_ADDRESS: address }, 'MAIL_BOUNCE_ADDRESS must be an e-mail'] as const,
  ),
  [{ BACKUP_EVERY: '24h' }, 'BACKUP_EVERY needs BACKUP_DIR'],
  [{ ...BACKUPS, BACKUP_EVERY: '0h' }, 'BACKUP_EVERY must be a number followed by s, m, h or d'],
  [{ ...BACKUPS, BACKUP_EVERY: 'daily' }, 'BACKUP_EVERY must be a number followed by s, m, h or d'],
  [{ ...BACKUPS, BACKUP_KEEP: '7 days' }, 'BACKUP_KEEP must be a list'],
  [{ ...BACKUPS, DATA_DIR: '/srv/data', BACKUP_DIR: '/srv/data/backups' }, 'BACKUP_DIR must be outside DATA_DIR'],
  [{ ...BACKUPS, DATA_DIR: '/srv/data', BACKUP_DIR: '/srv/data' }, 'BACKUP_DIR must be outside DATA_DIR'],
  [{ ...BACKUPS, APPWRITE_ENDPOINT: 'https://a.example/v1' }, 'BACKUP_EVERY works only with the embedded backend'],
];
it.each(REFUSED)('refuses %j', (environment, fault) => expect(() => read(environment)).toThrow(fault));

const mailOf = (environment: NodeJS.ProcessEnv) => read(environment).embedded.mail;

it('names the site as the sender of mail unless MAIL_FROM has a name', () => {
  expect(mailOf({ ...MAIL, SITE_NAME: 'Ink' })?.from).toEqual({ address: 'blog@example.com', name: 'Ink' });
  const named = { address: 'blog@example.com', name: 'The Blog' };
  expect(mailOf({ ...MAIL, MAIL_FROM: 'The Blog <blog@example.com>' })?.from).toEqual(named);
  expect(mailOf({ MAIL_FROM: 'blog@example.com' })).toBeUndefined();
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
])('sends mail with %j to port %i, secured by %s', (environment, port, secure) =>
  expect(mailOf({ ...MAIL, ...environment })).toMatchObject({ port, secure }),
);

it('reads bounces from a Maildir with an address', () => {
  expect(read(BOUNCES).bounces).toEqual({ directory: '/var/mail/bounces', address: 'bounces@example.com' });
  expect(read().bounces).toBeUndefined();
});

it('reads the mail server from the variables of a self-hosted Appwrite, below its own', () => {
  const theirs = {
    ...{ _APP_SMTP_HOST: 'smtp.example.org', _APP_SMTP_PORT: '2525', _APP_SMTP_SECURE: 'tls' },
    ...{ _APP_SMTP_USERNAME: 'them', _APP_SMTP_PASSWORD: 'their secret' },
    ...{ _APP_SYSTEM_EMAIL_ADDRESS: 'team@example.org', _APP_SYSTEM_EMAIL_NAME: 'The Team' },
  };
  expect(mailOf(theirs)).toEqual({
    ...{ host: 'smtp.example.org', port: 2525, secure: 'tls', username: 'them', password: 'their secret' },
    from: { address: 'team@example.org', name: 'The Team' },
  });
  const ours = { host: 'mail.example.com', from: { address: 'blog@example.com' } };
  expect(mailOf({ ...theirs, ...MAIL })).toMatchObject(ours);
});

const TIMES = { '90s': 90_000, '5m': 300_000, '24h': 86_400_000, '7d': 604_800_000 };
it.each(Object.entries(TIMES))('takes backups every %s, into a folder beside the data', (given, every) => {
  const { backups } = read({ BACKUP_EVERY: given, DATA_DIR: '/srv/data', BACKUP_DIR: '/srv/data-backups' });
  expect(backups).toEqual({ every, directory: '/srv/data-backups', keep: '7d,4w,12m' });
});
