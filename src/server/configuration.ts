/**
 * The environment, read once, with one schema. Nothing else in the product looks at `process.env`.
 * Every fault is reported at once, each in one sentence that says what to do. As long as the list of settings.
 */
import { isIP } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { isProxy } from '@common-ink/http/client-address.ts';
import type { MailOptions } from 'embedded-appwrite';
import { z } from 'zod';
import { type Allowed, allowing } from '#backend/remote-pictures/reachable.ts';
import { LANGUAGES } from '#blog/messages.ts';
import { PAGE_CATALOGUES } from '#blog/page-texts.ts';
import { WRITERS, type Writers } from '#blog/people.ts';
import type { Site } from '#blog/site.ts';
import { parseKeep } from '#operations/backup/prune.ts';
import { type Cdn, NEEDED } from '#publishing/purge/choose-driver.ts';
import { serverKey } from './backend/server-key.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { LOG_FORMATS, LOG_LEVELS, type LogSettings } from './log/log.ts';
import { readSiteFile, type SiteFile, SiteFileError } from './site/site-file.ts';

const httpUrl = (name: string) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      error: `${name} must be an address that starts with http:// or https://`,
    })
    .transform((value) => value.replace(/\/+$/, ''));

const megabytes = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a number of megabytes` })
    .int({ error: `${name} must be a whole number of megabytes` })
    .min(8, { error: `${name} must be at least 8 megabytes` });

const quota = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a number of megabytes` })
    .int({ error: `${name} must be a whole number of megabytes` })
    .min(0, { error: `${name} must be 0 megabytes or more` });

/** Appwrite's rule for ids (contract 1.1). */
const id = (name: string) =>
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/, {
    error: `${name} must be 1 to 36 characters of a-z, A-Z, 0-9, period, hyphen and underscore, and start with a letter or digit`,
  });

/** A host name, `*`, `*.example.com`, or an origin. */
const isWebClient = (client: string): boolean =>
  /^(\*|(\*\.)?[A-Za-z0-9.:[\]-]+)$/.test(client) || (/^https?:\/\/[^/?#@]+$/i.test(client) && URL.canParse(client));

const seconds = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a number of seconds` })
    .int({ error: `${name} must be a whole number of seconds` })
    .min(0, { error: `${name} must be 0 seconds or more` });

/**
 * Secrets that strangers may try to guess as often as they like: the right one is always accepted, so that nobody can
 * lock the operator out. Five different characters are what a key drawn at random always has.
 */
const secret = (name: string) =>
  z
    .string()
    .min(16, { error: `${name} must be at least 16 characters long` })
    .refine((value) => new Set(value).size >= 5, {
      error: `${name} is easy to guess: make one with “openssl rand -hex 32”`,
    });

const port = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a number from 1 to 65535` })
    .int({ error: `${name} must be a whole number from 1 to 65535` })
    .min(1, { error: `${name} must be a number from 1 to 65535` })
    .max(65535, { error: `${name} must be a number from 1 to 65535` });

/** A host name or an address. */
const mailHost = (name: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, { error: `${name} must be a host name or an IP address, such as mail.example.com` });

/** How mail is secured on its way: `ssl`, `tls` or `none`, and Appwrite's names for them. */
const mailSecurity = (name: string) =>
  z
    .string()
    .transform((value) => value.toLowerCase())
    .refine((value) => value in MAIL_SECURITY, {
      error: `${name} must be tls (STARTTLS), ssl (TLS from the first byte) or none`,
    })
    .transform((value) => MAIL_SECURITY[value as keyof typeof MAIL_SECURITY]);

const MAIL_SECURITY = { tls: 'tls', starttls: 'tls', ssl: 'ssl', none: 'none', off: 'none' } as const;

/** An address, alone or as `Name <address>`. */
const mailbox = (name: string) =>
  z
    .string()
    .transform((value) => /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+?))\s*$/.exec(value))
    .transform((match) => ({ name: match?.[1] ?? '', address: match?.[2] ?? match?.[3] ?? '' }))
    .refine(({ address }) => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address), {
      error: `${name} must be an e-mail address, or Name <address>`,
    });

/** Seconds after which a page of a remote Appwrite is rendered again, so that a lost message heals. */
const REMOTE_MAX_AGE = 600;
/** Seconds a CDN that is purged keeps a page. */
const CDN_MAX_AGE = 86_400;

const MILLISECONDS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const isKeep = (value: string): boolean => {
  try {
    parseKeep(value);
    return true;
  } catch {
    return false;
  }
};

const schema = z.object({
  PORT: port('PORT').default(4321),
  HOST: z
    .string()
    .refine((host) => /^[A-Za-z0-9.:_-]+$/.test(host) && (isIP(host) !== 0 || URL.canParse(`http://${host}`)), {
      error: 'HOST must be a host name or an IP address, such as 127.0.0.1 or 0.0.0.0',
    })
    .default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  // Every address of the site begins with it, and a cookie or a path of the site's is for all of its host.
  SITE_URL: httpUrl('SITE_URL')
    .refine((value) => !/^https?:\/\/[^/?#]*[@/?#]/i.test(value), {
      error: 'SITE_URL must have no path, query or password, such as https://blog.example.com',
    })
    .transform((value) => URL.parse(value)?.origin ?? value)
    .optional(),
  SITE_NAME: z.string().max(80, { error: 'SITE_NAME must be at most 80 characters long' }).optional(),
  SITE_TAGLINE: z.string().max(300, { error: 'SITE_TAGLINE must be at most 300 characters long' }).optional(),
  SECURITY_CONTACT: z
    .string()
    .transform((value) => (/^[^\s:@]+@[^\s@]+$/.test(value) ? `mailto:${value}` : value))
    .refine((value) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value) && URL.canParse(value), {
      error: 'SECURITY_CONTACT must be an e-mail address or an address that starts with https://',
    })
    .optional(),
  SITE_LANGUAGE: z.enum(LANGUAGES, { error: `SITE_LANGUAGE must be ${LANGUAGES.join(' or ')}` }).optional(),
  APPWRITE_ENDPOINT: httpUrl('APPWRITE_ENDPOINT')
    .refine((value) => new URL(value).pathname.endsWith('/v1'), {
      error: 'APPWRITE_ENDPOINT must end in /v1, for example https://appwrite.example.com/v1',
    })
    .optional(),
  APPWRITE_ACCESS: z
    .enum(['gateway', 'direct'], { error: 'APPWRITE_ACCESS must be gateway or direct' })
    .default('gateway'),
  APPWRITE_PROJECT_ID: id('APPWRITE_PROJECT_ID').default('common-ink'),
  APPWRITE_DATABASE_ID: id('APPWRITE_DATABASE_ID').default('blog'),
  APPWRITE_COLLECTION_ID: id('APPWRITE_COLLECTION_ID').default('articles'),
  APPWRITE_REVISIONS_ID: id('APPWRITE_REVISIONS_ID').default('revisions'),
  APPWRITE_BUCKET_ID: id('APPWRITE_BUCKET_ID').default('media'),
  APPWRITE_API_KEY: z.string().min(16, { error: 'APPWRITE_API_KEY must be at least 16 characters long' }).optional(),
  WRITERS: z.enum(WRITERS, { error: 'WRITERS must be everyone or members' }).optional(),
  PICTURE_SWEEP: z.enum(['on', 'off'], { error: 'PICTURE_SWEEP must be on or off' }).default('on'),
  PICTURE_COPY: z.enum(['on', 'off'], { error: 'PICTURE_COPY must be on or off' }).default('on'),
  PICTURE_COPY_ALLOW: z
    .string()
    .default('')
    .transform((value, context) => {
      try {
        return allowing(value.split(/[\s,]+/).filter(Boolean));
      } catch {
        const message =
          'PICTURE_COPY_ALLOW must be host names, addresses or networks separated by commas, such as wiki.intra,10.1.0.0/16';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
    }),
  EMBEDDED_RATE_LIMITS: z.enum(['on', 'off'], { error: 'EMBEDDED_RATE_LIMITS must be on or off' }).default('on'),
  UPLOAD_QUOTA_MB: quota('UPLOAD_QUOTA_MB').default(1024),
  DISK_RESERVE_MB: quota('DISK_RESERVE_MB').optional(),
  EMBEDDED_ANONYMOUS: z.enum(['on', 'off'], { error: 'EMBEDDED_ANONYMOUS must be on or off' }).default('off'),
  EMBEDDED_WEB_ORIGINS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((clients) => clients.every(isWebClient), {
      error:
        'EMBEDDED_WEB_ORIGINS must be host names or origins separated by commas, such as example.com,*.example.org,https://app.example.net',
    }),
  SMTP_HOST: mailHost('SMTP_HOST').optional(),
  SMTP_PORT: port('SMTP_PORT').optional(),
  SMTP_SECURE: mailSecurity('SMTP_SECURE').optional(),
  SMTP_USERNAME: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  MAIL_FROM: mailbox('MAIL_FROM').optional(),
  _APP_SMTP_HOST: mailHost('_APP_SMTP_HOST').optional(),
  _APP_SMTP_PORT: port('_APP_SMTP_PORT').optional(),
  _APP_SMTP_SECURE: mailSecurity('_APP_SMTP_SECURE').optional(),
  _APP_SMTP_USERNAME: z.string().optional(),
  _APP_SMTP_PASSWORD: z.string().optional(),
  _APP_SYSTEM_EMAIL_ADDRESS: mailbox('_APP_SYSTEM_EMAIL_ADDRESS').optional(),
  _APP_SYSTEM_EMAIL_NAME: z
    .string()
    .max(80, { error: '_APP_SYSTEM_EMAIL_NAME must be at most 80 characters long' })
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((proxies) => proxies.every(isProxy), {
      error: 'TRUSTED_PROXIES must be addresses or networks separated by commas, such as loopback,10.0.0.0/8',
    }),
  FAST_PATH: z.enum(['on', 'off'], { error: 'FAST_PATH must be on or off' }).default('on'),
  PAGES_DISK_MB: megabytes('PAGES_DISK_MB').default(2048),
  PAGES_MEMORY_MB: megabytes('PAGES_MEMORY_MB').default(16),
  REBUILD_TOKEN: secret('REBUILD_TOKEN')
    .regex(/^[\x21-\x7e]*$/, { error: 'REBUILD_TOKEN must be of letters, digits and signs of ASCII, without spaces' })
    .optional(),
  LOG_FORMAT: z.enum(LOG_FORMATS, { error: 'LOG_FORMAT must be text or json' }).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: 'LOG_LEVEL must be info, warn or error' }).default('info'),
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,5}[smhd]$/, { error: 'BACKUP_EVERY must be a number and s, m, h or d, such as 24h' })
    .transform((value) => Number(value.slice(0, -1)) * MILLISECONDS[value.slice(-1) as keyof typeof MILLISECONDS])
    .optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: z
    .string()
    .refine(isKeep, { error: 'BACKUP_KEEP must be a list such as 7d,4w,12m' })
    .default('7d,4w,12m'),
  METRICS_TOKEN: secret('METRICS_TOKEN')
    .regex(/^[\x21-\x7e]*$/, { error: 'METRICS_TOKEN must be of letters, digits and signs of ASCII, without spaces' })
    .optional(),
  WEBHOOK_SECRET: secret('WEBHOOK_SECRET').optional(),
  PAGES_MAX_AGE: seconds('PAGES_MAX_AGE').optional(),
  PEERS: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((peer) => peer.replace(/\/+$/, '')),
    )
    .refine((peers) => peers.every((peer) => URL.canParse(peer) && /^https?:$/.test(new URL(peer).protocol)), {
      error: 'PEERS must be addresses separated by commas, such as http://10.0.0.2:4321,http://10.0.0.3:4321',
    }),
  PEER_SECRET: secret('PEER_SECRET').optional(),
  INDEXNOW_KEY: z
    .string()
    .regex(/^[A-Za-z0-9-]{8,128}$/, { error: 'INDEXNOW_KEY must be 8 to 128 letters, digits and hyphens' })
    .optional(),
  INDEXNOW_ENDPOINT: httpUrl('INDEXNOW_ENDPOINT').default('https://api.indexnow.org/indexnow'),
  WEBSUB_HUB: httpUrl('WEBSUB_HUB').optional(),
  CDN_PROVIDER: z
    .enum(['cloudflare', 'fastly', 'bunny', 'generic'], {
      error: 'CDN_PROVIDER must be cloudflare, fastly, bunny or generic',
    })
    .optional(),
  CDN_TOKEN: z.string().optional(),
  CDN_ZONE: z.string().optional(),
  CDN_PURGE_URL: z
    .string()
    .regex(/^https?:\/\/.*\{(?:url|path|tag)\}|^\{url\}$/, {
      error: 'CDN_PURGE_URL must be an address with {url}, {path} or {tag} in it, such as http://varnish:6081{path}',
    })
    .optional(),
  CDN_PURGE_BY: z.enum(['tags', 'urls'], { error: 'CDN_PURGE_BY must be tags or urls' }).default('tags'),
  CDN_MAX_AGE: seconds('CDN_MAX_AGE').default(CDN_MAX_AGE),
});

type Environment = z.infer<typeof schema>;

/** The names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(schema.shape);

/** Variables that need each other, a sentence for each fault. */
function missingTogether(env: Environment): string[] {
  const faults: string[] = [];
  if (env.APPWRITE_REVISIONS_ID === env.APPWRITE_COLLECTION_ID) {
    faults.push('APPWRITE_REVISIONS_ID must name another collection than APPWRITE_COLLECTION_ID.');
  }
  if (env.BACKUP_EVERY && !env.BACKUP_DIR) faults.push('BACKUP_EVERY needs BACKUP_DIR, the folder for the backups.');
  if (env.BACKUP_EVERY && env.APPWRITE_ENDPOINT) {
    faults.push('BACKUP_EVERY is for the embedded backend: back up the Appwrite at APPWRITE_ENDPOINT itself.');
  }
  if (env.BACKUP_DIR && !relative(resolve(env.DATA_DIR), resolve(env.BACKUP_DIR)).startsWith('..')) {
    faults.push('BACKUP_DIR must not lie in DATA_DIR: a backup would hold all former ones.');
  }
  if (env.PEERS.length > 0 && !env.PEER_SECRET) faults.push('PEERS needs PEER_SECRET, the same for all instances.');
  if ((env.SMTP_HOST ?? env._APP_SMTP_HOST) && !(env.MAIL_FROM ?? env._APP_SYSTEM_EMAIL_ADDRESS)) {
    faults.push('SMTP_HOST needs MAIL_FROM, the address that mails come from.');
  }
  for (const name of env.CDN_PROVIDER ? NEEDED[env.CDN_PROVIDER] : []) {
    if (!env[name]) faults.push(`CDN_PROVIDER=${env.CDN_PROVIDER} needs ${name}.`);
  }
  return faults;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i;
const SUBMISSION = 587;
const SUBMISSION_TLS = 465;

/** The SMTP server, by our names before Appwrite's; undefined without one. */
function mailOf(env: Environment, siteName: string): MailOptions | undefined {
  const host = env.SMTP_HOST ?? env._APP_SMTP_HOST;
  const from = env.MAIL_FROM ?? env._APP_SYSTEM_EMAIL_ADDRESS;
  if (!host || !from) return undefined;
  const chosen = env.SMTP_SECURE ?? env._APP_SMTP_SECURE;
  const port = env.SMTP_PORT ?? env._APP_SMTP_PORT ?? (chosen === 'ssl' ? SUBMISSION_TLS : SUBMISSION);
  const username = env.SMTP_USERNAME ?? env._APP_SMTP_USERNAME;
  // No password goes over a network in plain text unless the operator says so.
  const usual = port === SUBMISSION_TLS ? 'ssl' : username && !LOOPBACK.test(host) ? 'tls' : 'auto';
  return {
    host,
    port,
    secure: chosen ?? usual,
    username,
    password: env.SMTP_PASSWORD ?? env._APP_SMTP_PASSWORD,
    from: { address: from.address, name: from.name || env._APP_SYSTEM_EMAIL_NAME || siteName },
  };
}

function cdnOf(env: Environment): Cdn | undefined {
  return (
    env.CDN_PROVIDER && {
      provider: env.CDN_PROVIDER,
      token: env.CDN_TOKEN,
      zone: env.CDN_ZONE,
      purgeUrl: env.CDN_PURGE_URL,
      purgeBy: env.CDN_PURGE_BY,
      maxAge: env.CDN_MAX_AGE,
    }
  );
}

export interface Configuration {
  readonly host: string;
  readonly port: number;
  /** Whether plain reads of stored pages are answered before the HTTP server parses them. */
  readonly fastPath: boolean;
  /** Absolute path. */
  readonly dataDirectory: string;
  readonly siteUrl: string;
  /** Where this machine reaches the server, without a slash at the end. */
  readonly ownAddress: string;
  readonly site: Site;
  /** What the owner chose in the data folder's `site.toml`; the environment goes before it. */
  readonly siteFile: SiteFile;
  readonly appwrite: {
    /** A real Appwrite's address, or undefined: the embedded backend answers under this site's `/v1`. */
    readonly endpoint: string | undefined;
    /** How the browser reaches it: through this site's `/v1`, or itself. */
    readonly access: 'gateway' | 'direct';
    /** Where this machine reaches the backend, embedded or not. */
    readonly serverEndpoint: string;
    readonly projectId: string;
    readonly databaseId: string;
    readonly collectionId: string;
    /** The collection of former versions, in the same database. */
    readonly revisionsId: string;
    readonly bucketId: string;
    /**
     * With the embedded backend always present: made and kept in the data folder when not set.
     * Throws NodeJS.ErrnoException when that folder cannot be written.
     */
    readonly apiKey: string | undefined;
  };
  readonly embedded: {
    readonly rateLimits: boolean;
    /** The site's own origin; of one on loopback, its other names. */
    readonly ownOrigins: readonly string[];
    /** Of further web clients: host names, patterns, origins. */
    readonly webOrigins: readonly string[];
    /** Most that a user stores; 0: no bound. */
    readonly quotaMegabytes: number;
    /** Free disk that only server keys may use; undefined: the backend's own measure. */
    readonly reserveMegabytes: number | undefined;
    /** Whether guests may make accounts without e-mail and password. */
    readonly anonymous: boolean;
    /** Where mail goes out; undefined: nowhere. */
    readonly mail: MailOptions | undefined;
  };
  /** Backups that the server takes by the clock; undefined: none. */
  readonly backups: { readonly every: number; readonly directory: string; readonly keep: string } | undefined;
  readonly log: LogSettings;
  /** Lets a program on another machine read `/metrics`. */
  readonly metricsToken: string | undefined;
  /** Who may write; undefined: as the owner chose on the site's own page. */
  readonly writers: Writers | undefined;
  /** Whether pictures that no post uses any more are deleted. */
  readonly sweepsPictures: boolean;
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustedProxies: readonly string[];
  readonly publishing: {
    readonly directory: string;
    /** Most that stored pages may take on disk and in memory. */
    readonly diskMegabytes: number;
    readonly memoryMegabytes: number;
    readonly rebuildToken: string | undefined;
    readonly webhookSecret: string | undefined;
    /** Seconds after which a page is rendered again although nothing is known to have changed; undefined: never. */
    readonly maximumAge: number | undefined;
    /** Addresses of the other instances of this site. */
    readonly peers: readonly string[];
    readonly peerSecret: string | undefined;
    readonly cdn: Cdn | undefined;
    /** The contact for security reports: a `mailto:` or `https:` address. */
    readonly securityContact: string | undefined;
    /** From where pictures of other sites are copied beside the public internet; undefined: from nowhere at all. */
    readonly remotePictures: Allowed | undefined;
    /** The search engine and the hub that are notified of new, changed and removed posts. */
    readonly notify: {
      readonly indexNowKey: string | undefined;
      readonly indexNowEndpoint: string;
      readonly webSubHub: string | undefined;
    };
  };
}

/** One or more variables cannot be used; `message` holds a sentence for each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** @throws ConfigurationError for what cannot be used in it. */
function chosenIn(dataDirectory: string): SiteFile {
  try {
    return readSiteFile(dataDirectory);
  } catch (error) {
    throw error instanceof SiteFileError ? new ConfigurationError(error.message) : error;
  }
}

/** The address under which this machine reaches a server that listens on `host`. */
function loopback(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** The origins of the site's own pages: on a developer's machine it goes by each loopback name of the same port. */
function ownOrigins(siteUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(siteUrl);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const names = local.includes(hostname) ? local : [];
  return [...new Set([origin, ...names.map((name) => new URL(`${protocol}//${name}:${port}`).origin)])];
}

/**
 * Reads and checks the environment. Empty variables count as not set.
 * @throws ConfigurationError naming every variable that cannot be used.
 */
export function readConfiguration(environment: NodeJS.ProcessEnv = process.env): Configuration {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigurationError(parsed.error.issues.map((issue) => `${issue.message}.`).join('\n'));
  }
  const env = parsed.data;
  const faults = missingTogether(env);
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  const dataDirectory = resolve(env.DATA_DIR);
  const ownAddress = `http://${loopback(env.HOST)}:${env.PORT}`;
  const siteUrl = env.SITE_URL ?? ownAddress;
  const siteFile = chosenIn(dataDirectory);
  const language = env.SITE_LANGUAGE ?? siteFile.language ?? 'en';
  const name = env.SITE_NAME ?? siteFile.name ?? 'Common Ink';
  return {
    host: env.HOST,
    port: env.PORT,
    fastPath: env.FAST_PATH === 'on',
    dataDirectory,
    siteUrl,
    ownAddress,
    siteFile,
    site: {
      name,
      tagline: env.SITE_TAGLINE ?? siteFile.tagline ?? PAGE_CATALOGUES[language].footerText.tagline,
      language,
      url: siteUrl,
      endpoint: (env.APPWRITE_ACCESS === 'direct' && env.APPWRITE_ENDPOINT) || '/v1',
      projectId: env.APPWRITE_PROJECT_ID,
      databaseId: env.APPWRITE_DATABASE_ID,
      collectionId: env.APPWRITE_COLLECTION_ID,
      revisionsId: env.APPWRITE_REVISIONS_ID,
      bucketId: env.APPWRITE_BUCKET_ID,
      ...(!env.APPWRITE_ENDPOINT && { pictureFormat: 'avif' as const }),
    },
    appwrite: {
      endpoint: env.APPWRITE_ENDPOINT,
      access: env.APPWRITE_ACCESS,
      serverEndpoint: env.APPWRITE_ENDPOINT ?? `${ownAddress}/v1`,
      projectId: env.APPWRITE_PROJECT_ID,
      databaseId: env.APPWRITE_DATABASE_ID,
      collectionId: env.APPWRITE_COLLECTION_ID,
      revisionsId: env.APPWRITE_REVISIONS_ID,
      bucketId: env.APPWRITE_BUCKET_ID,
      get apiKey() {
        if (env.APPWRITE_API_KEY) return env.APPWRITE_API_KEY;
        if (env.APPWRITE_ENDPOINT) return undefined;
        prepareDataDirectory(dataDirectory);
        return serverKey(dataDirectory);
      },
    },
    embedded: {
      rateLimits: env.EMBEDDED_RATE_LIMITS === 'on',
      ownOrigins: ownOrigins(siteUrl),
      webOrigins: env.EMBEDDED_WEB_ORIGINS,
      quotaMegabytes: env.UPLOAD_QUOTA_MB,
      reserveMegabytes: env.DISK_RESERVE_MB,
      anonymous: env.EMBEDDED_ANONYMOUS === 'on',
      mail: mailOf(env, name),
    },
    backups:
      env.BACKUP_EVERY && env.BACKUP_DIR
        ? { every: env.BACKUP_EVERY, directory: resolve(env.BACKUP_DIR), keep: env.BACKUP_KEEP }
        : undefined,
    log: { format: env.LOG_FORMAT, level: env.LOG_LEVEL },
    metricsToken: env.METRICS_TOKEN,
    writers: env.WRITERS,
    sweepsPictures: env.PICTURE_SWEEP === 'on',
    trustedProxies: env.TRUSTED_PROXIES,
    publishing: {
      directory: join(dataDirectory, 'pages'),
      diskMegabytes: env.PAGES_DISK_MB,
      memoryMegabytes: env.PAGES_MEMORY_MB,
      rebuildToken: env.REBUILD_TOKEN,
      webhookSecret: env.WEBHOOK_SECRET,
      // 0 says never; the embedded backend tells of each change, a remote one may fail to.
      maximumAge: (env.PAGES_MAX_AGE ?? (env.APPWRITE_ENDPOINT ? REMOTE_MAX_AGE : 0)) || undefined,
      peers: env.PEERS,
      peerSecret: env.PEER_SECRET,
      cdn: cdnOf(env),
      securityContact: env.SECURITY_CONTACT,
      remotePictures: env.PICTURE_COPY === 'on' ? env.PICTURE_COPY_ALLOW : undefined,
      notify: {
        indexNowKey: env.INDEXNOW_KEY,
        indexNowEndpoint: env.INDEXNOW_ENDPOINT,
        webSubHub: env.WEBSUB_HUB,
      },
    },
  };
}
