/**
 * The environment, read once, with one schema. Nothing else in the product looks at `process.env`.
 * Every fault is reported at once, each in one sentence that says what to do.
 */
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Site } from '#blog/site.ts';
import { isProxy } from '#embedded/http/client.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { serverKey } from './server-key.ts';

const TAGLINE =
  'Share your stories, insights, and ideas with the world. Join our community of passionate writers and readers creating meaningful content.';

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

/** Appwrite's rule for ids (contract 1.1). */
const id = (name: string) =>
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/, {
    error: `${name} must be 1 to 36 characters of a-z, A-Z, 0-9, period, hyphen and underscore, and start with a letter or digit`,
  });

const schema = z.object({
  PORT: z.coerce
    .number({ error: 'PORT must be a number from 1 to 65535' })
    .int({ error: 'PORT must be a whole number from 1 to 65535' })
    .min(1, { error: 'PORT must be a number from 1 to 65535' })
    .max(65535, { error: 'PORT must be a number from 1 to 65535' })
    .default(4321),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, { error: 'HOST must be a host name or an IP address, such as 127.0.0.1 or 0.0.0.0' })
    .default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  SITE_URL: httpUrl('SITE_URL').optional(),
  SITE_NAME: z.string().max(80, { error: 'SITE_NAME must be at most 80 characters long' }).default('Common Ink'),
  SITE_TAGLINE: z.string().max(300, { error: 'SITE_TAGLINE must be at most 300 characters long' }).default(TAGLINE),
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
  APPWRITE_BUCKET_ID: id('APPWRITE_BUCKET_ID').default('media'),
  APPWRITE_API_KEY: z.string().min(16, { error: 'APPWRITE_API_KEY must be at least 16 characters long' }).optional(),
  EMBEDDED_RATE_LIMITS: z.enum(['on', 'off'], { error: 'EMBEDDED_RATE_LIMITS must be on or off' }).default('on'),
  EMBEDDED_WEB_ORIGINS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((hosts) => hosts.every((host) => /^(\*|(\*\.)?[A-Za-z0-9.:[\]-]+)$/.test(host)), {
      error: 'EMBEDDED_WEB_ORIGINS must be host names separated by commas, such as example.com,*.example.org',
    }),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((proxies) => proxies.every(isProxy), {
      error: 'TRUSTED_PROXIES must be addresses or networks separated by commas, such as loopback,10.0.0.0/8',
    }),
  PAGES_DISK_MB: megabytes('PAGES_DISK_MB').default(2048),
  PAGES_MEMORY_MB: megabytes('PAGES_MEMORY_MB').default(64),
  REBUILD_TOKEN: z.string().min(16, { error: 'REBUILD_TOKEN must be at least 16 characters long' }).optional(),
  WEBHOOK_SECRET: z.string().min(8, { error: 'WEBHOOK_SECRET must be at least 8 characters long' }).optional(),
});

export interface Configuration {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDirectory: string;
  readonly siteUrl: string;
  /** Where this machine reaches the server, without a slash at the end. */
  readonly ownAddress: string;
  readonly site: Site;
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
    readonly bucketId: string;
    /**
     * With the embedded backend always present: made and kept in the data folder when not set.
     * Throws NodeJS.ErrnoException when that folder cannot be written.
     */
    readonly apiKey: string | undefined;
  };
  readonly embedded: { readonly rateLimits: boolean; readonly webOrigins: readonly string[] };
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustedProxies: readonly string[];
  readonly publishing: {
    readonly directory: string;
    /** Most that stored pages may take on disk and in memory. */
    readonly diskMegabytes: number;
    readonly memoryMegabytes: number;
    readonly rebuildToken: string | undefined;
    readonly webhookSecret: string | undefined;
  };
}

/** One or more variables cannot be used; `message` holds a sentence for each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The address under which this machine reaches a server that listens on `host`. */
function loopback(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Host names whose pages may call the embedded backend: the site's own, its loopback names, and the operator's list. */
function webOrigins(siteUrl: string, more: readonly string[]): string[] {
  const own = new URL(siteUrl).hostname;
  const local = ['localhost', '127.0.0.1', '[::1]'];
  return [...new Set([own, ...(local.includes(own) ? local : []), ...more])];
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
  const dataDirectory = resolve(env.DATA_DIR);
  const ownAddress = `http://${loopback(env.HOST)}:${env.PORT}`;
  const siteUrl = env.SITE_URL ?? ownAddress;
  return {
    host: env.HOST,
    port: env.PORT,
    dataDirectory,
    siteUrl,
    ownAddress,
    site: {
      name: env.SITE_NAME,
      tagline: env.SITE_TAGLINE,
      url: siteUrl,
      endpoint: (env.APPWRITE_ACCESS === 'direct' && env.APPWRITE_ENDPOINT) || '/v1',
      projectId: env.APPWRITE_PROJECT_ID,
      databaseId: env.APPWRITE_DATABASE_ID,
      collectionId: env.APPWRITE_COLLECTION_ID,
      bucketId: env.APPWRITE_BUCKET_ID,
    },
    appwrite: {
      endpoint: env.APPWRITE_ENDPOINT,
      access: env.APPWRITE_ACCESS,
      serverEndpoint: env.APPWRITE_ENDPOINT ?? `${ownAddress}/v1`,
      projectId: env.APPWRITE_PROJECT_ID,
      databaseId: env.APPWRITE_DATABASE_ID,
      collectionId: env.APPWRITE_COLLECTION_ID,
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
      webOrigins: webOrigins(siteUrl, env.EMBEDDED_WEB_ORIGINS),
    },
    trustedProxies: env.TRUSTED_PROXIES,
    publishing: {
      directory: join(dataDirectory, 'pages'),
      diskMegabytes: env.PAGES_DISK_MB,
      memoryMegabytes: env.PAGES_MEMORY_MB,
      rebuildToken: env.REBUILD_TOKEN,
      webhookSecret: env.WEBHOOK_SECRET,
    },
  };
}
