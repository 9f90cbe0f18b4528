/** Reads the environment (`settings.ts`) and the operator's `site.toml`. Nothing else in `src` reads `process.env`. */
import { join, relative, resolve } from 'node:path';
import type { MailOptions } from 'embedded-appwrite';
import { OperatorError } from '#blog/errors.ts';
import type { SettingName } from '#blog/site-settings/settings.ts';
import { type Cdn, NEEDED } from '#publishing/purge/cdn-drivers.ts';
import { serverKey } from './backend/server-key.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { readSettings } from './settings.ts';
import { appearanceOf, type OperatorWords } from './site/appearance.ts';
import { readSiteFile, SITE_FILE, type SiteFile } from './site/site-file.ts';

/** Pages from a remote Appwrite are rendered again after this time, because a message about a change may get lost. */
const REMOTE_MAX_AGE_SECONDS = 600;

type Environment = ReturnType<typeof readSettings>['values'];

export type Configuration = ReturnType<typeof readConfiguration>;

/** Reads all settings; empty variables count as unset. @throws OperatorError naming every invalid one */
export function readConfiguration(environment: NodeJS.ProcessEnv = process.env) {
  const { values: env, faults } = readSettings(environment);
  if (faults.length === 0) faults.push(...faultsBetween(env));
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  const dataDirectory = resolve(env.DATA_DIR);
  const ownAddress = `http://${loopback(env.HOST)}:${env.PORT}`;
  const siteUrl = env.SITE_URL ?? ownAddress;
  const siteFile = readSiteFile(dataDirectory);
  const operator = operatorWords(env, siteFile);
  const ids = {
    projectId: env.APPWRITE_PROJECT_ID,
    databaseId: env.APPWRITE_DATABASE_ID,
    collectionId: env.APPWRITE_COLLECTION_ID,
    revisionsId: env.APPWRITE_REVISIONS_ID,
    bucketId: env.APPWRITE_BUCKET_ID,
  };
  const place = {
    url: siteUrl,
    endpoint: (env.APPWRITE_ACCESS === 'direct' && env.APPWRITE_ENDPOINT) || '/v1',
    ...ids,
    ...(!env.APPWRITE_ENDPOINT && { pictureFormat: 'avif' as const }),
  };
  const { site } = appearanceOf({ site: place, operator }, {});
  return {
    host: env.HOST,
    port: env.PORT,
    fastPath: env.FAST_PATH,
    dataDirectory,
    siteUrl,
    ownAddress,
    /** Does not include the owner's settings, which `site/site-settings.ts` adds. */
    site,
    siteFile,
    operator,
    appwrite: {
      /** URL of a remote Appwrite server; undefined for the embedded backend, which is at this site's `/v1`. */
      endpoint: env.APPWRITE_ENDPOINT,
      access: env.APPWRITE_ACCESS,
      serverEndpoint: env.APPWRITE_ENDPOINT ?? `${ownAddress}/v1`,
      ...ids,
      /** Created for the embedded backend if unset. @throws NodeJS.ErrnoException if DATA_DIR is not writable */
      get apiKey(): string | undefined {
        if (env.APPWRITE_API_KEY) return env.APPWRITE_API_KEY;
        if (env.APPWRITE_ENDPOINT) return undefined;
        prepareDataDirectory(dataDirectory);
        return serverKey(dataDirectory);
      },
    },
    embedded: {
      rateLimits: env.EMBEDDED_RATE_LIMITS,
      ownOrigins: ownOrigins(siteUrl),
      webOrigins: env.EMBEDDED_WEB_ORIGINS,
      quotaMegabytes: env.UPLOAD_QUOTA_MB,
      reserveMegabytes: env.DISK_RESERVE_MB,
      anonymous: env.EMBEDDED_ANONYMOUS,
      mail: mailOf(env, site.name),
    },
    bounces:
      env.MAIL_BOUNCES && env.MAIL_BOUNCE_ADDRESS
        ? { directory: env.MAIL_BOUNCES, address: env.MAIL_BOUNCE_ADDRESS }
        : undefined,
    backups:
      env.BACKUP_EVERY && env.BACKUP_DIR
        ? { every: env.BACKUP_EVERY, directory: resolve(env.BACKUP_DIR), keep: env.BACKUP_KEEP }
        : undefined,
    log: { format: env.LOG_FORMAT, level: env.LOG_LEVEL },
    metricsToken: env.METRICS_TOKEN,
    /** The operator's choice of who may write; undefined lets the owner choose at `/site`. */
    writers: env.WRITERS,
    sweepsPictures: env.PICTURE_SWEEP,
    trustedProxies: env.TRUSTED_PROXIES,
    clientAddressHeader: env.CLIENT_ADDRESS_HEADER,
    publishing: {
      directory: join(dataDirectory, 'pages'),
      diskMegabytes: env.PAGES_DISK_MB,
      memoryMegabytes: env.PAGES_MEMORY_MB,
      rebuildToken: env.REBUILD_TOKEN,
      syncDirectory: env.SYNC_DIR,
      webhookSecret: env.WEBHOOK_SECRET,
      maximumAge: (env.PAGES_MAX_AGE ?? (env.APPWRITE_ENDPOINT ? REMOTE_MAX_AGE_SECONDS : 0)) || undefined,
      peers: env.PEERS,
      peerSecret: env.PEER_SECRET,
      cdn: cdnOf(env),
      securityContact: env.SECURITY_CONTACT,
      remotePictures: env.PICTURE_COPY ? env.PICTURE_COPY_ALLOW : undefined,
      notify: {
        indexNowKey: env.INDEXNOW_KEY,
        indexNowEndpoint: env.INDEXNOW_ENDPOINT,
        webSubHub: env.WEBSUB_HUB,
      },
    },
  } as const;
}

function faultsBetween(env: Environment): string[] {
  const faults: string[] = [];
  if (env.APPWRITE_REVISIONS_ID === env.APPWRITE_COLLECTION_ID) {
    faults.push('APPWRITE_REVISIONS_ID and APPWRITE_COLLECTION_ID must name different collections.');
  }
  if (env.BACKUP_EVERY && !env.BACKUP_DIR) faults.push('BACKUP_EVERY needs BACKUP_DIR, the folder for the backups.');
  if (env.BACKUP_EVERY && env.APPWRITE_ENDPOINT) {
    faults.push(
      'BACKUP_EVERY works only with the embedded backend. Run npm run backup for the Appwrite at APPWRITE_ENDPOINT.',
    );
  }
  if (env.BACKUP_DIR && !relative(resolve(env.DATA_DIR), resolve(env.BACKUP_DIR)).startsWith('..')) {
    faults.push('BACKUP_DIR must be outside DATA_DIR, or each backup would contain all earlier ones.');
  }
  if (env.PEERS.length > 0 && !env.PEER_SECRET)
    faults.push('PEERS needs PEER_SECRET, which must be the same on all instances.');
  if ((env.SMTP_HOST ?? env._APP_SMTP_HOST) && !(env.MAIL_FROM ?? env._APP_SYSTEM_EMAIL_ADDRESS)) {
    faults.push('SMTP_HOST needs MAIL_FROM, the sender’s address.');
  }
  if (env.MAIL_BOUNCES && !env.MAIL_BOUNCE_ADDRESS) {
    faults.push('MAIL_BOUNCES needs MAIL_BOUNCE_ADDRESS, the address that bounces are sent to.');
  }
  if (env.MAIL_BOUNCE_ADDRESS && !env.MAIL_BOUNCES) {
    faults.push('MAIL_BOUNCE_ADDRESS needs MAIL_BOUNCES, the Maildir that bounces are delivered to.');
  }
  for (const name of env.CDN_PROVIDER ? NEEDED[env.CDN_PROVIDER] : []) {
    if (!env[name]) faults.push(`CDN_PROVIDER=${env.CDN_PROVIDER} needs ${name}.`);
  }
  return faults;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i;
const SUBMISSION = 587;
const SUBMISSION_TLS = 465;

/**
 * Returns the settings that the operator has set, which owners cannot change, and the variable or file that sets each
 * of them. Variables override the file.
 */
function operatorWords(env: Environment, { settings, layout }: SiteFile): OperatorWords {
  const sender = env.MAIL_FROM?.name;
  const ofEnvironment: [SettingName, string, string | undefined][] = [
    ['name', 'SITE_NAME', env.SITE_NAME],
    ['tagline', 'SITE_TAGLINE', env.SITE_TAGLINE],
    ['language', 'SITE_LANGUAGE', env.SITE_LANGUAGE],
    ['mailName', sender ? 'MAIL_FROM' : '_APP_SYSTEM_EMAIL_NAME', sender || env._APP_SYSTEM_EMAIL_NAME],
  ];
  const said = ofEnvironment.filter(([, , value]) => value !== undefined);
  return {
    settings: { ...settings, ...Object.fromEntries(said.map(([name, , value]) => [name, value])) },
    places: {
      ...Object.fromEntries(Object.keys(settings).map((name) => [name, SITE_FILE])),
      ...Object.fromEntries(said.map(([name, variable]) => [name, variable])),
    },
    layout,
  };
}

/** Returns the SMTP settings; undefined without a host or a sender. Our variables override Appwrite's `_APP_…`. */
function mailOf(env: Environment, siteName: string) {
  const host = env.SMTP_HOST ?? env._APP_SMTP_HOST;
  const from = env.MAIL_FROM ?? env._APP_SYSTEM_EMAIL_ADDRESS;
  if (!host || !from) return undefined;
  const chosen = env.SMTP_SECURE ?? env._APP_SMTP_SECURE;
  const port = env.SMTP_PORT ?? env._APP_SMTP_PORT ?? (chosen === 'ssl' ? SUBMISSION_TLS : SUBMISSION);
  const username = env.SMTP_USERNAME ?? env._APP_SMTP_USERNAME;
  // A password crosses the network in plain text only if the operator asks for it.
  const usual = port === SUBMISSION_TLS ? 'ssl' : username && !LOOPBACK.test(host) ? 'tls' : 'auto';
  return {
    host,
    port,
    secure: chosen ?? usual,
    username,
    password: env.SMTP_PASSWORD ?? env._APP_SMTP_PASSWORD,
    from: { address: from.address, name: from.name || env._APP_SYSTEM_EMAIL_NAME || siteName },
  } satisfies MailOptions;
}

function cdnOf({ CDN_PROVIDER: provider, ...env }: Environment): Cdn | undefined {
  const { CDN_TOKEN: token, CDN_ZONE: zone, CDN_PURGE_URL: purgeUrl, CDN_PURGE_BY: purgeBy, CDN_MAX_AGE: maxAge } = env;
  return provider && { provider, token, zone, purgeUrl, purgeBy, maxAge };
}

/** Returns the host name by which this machine can reach a server that listens on `host`. */
function loopback(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns the origins of the site's pages. A site on loopback has one for each loopback name. */
function ownOrigins(siteUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(siteUrl);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const names = local.includes(hostname) ? local : [];
  return [...new Set([origin, ...names.map((name) => new URL(`${protocol}//${name}:${port}`).origin)])];
}
