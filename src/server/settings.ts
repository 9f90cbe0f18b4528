/**
 * Lists the server's environment variables, so that each is described only once. `.env.example` is generated from the
 * list (`vitest run src/server/settings.test.ts -u`).
 */
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { isProxy } from '@common-ink/http/client-address.ts';
import { z } from 'zod';
import { allowing } from '#backend/remote-pictures/reachable.ts';
import { LANGUAGES } from '#blog/messages/language.ts';
import { WRITERS } from '#blog/people.ts';
import { parseKeep } from '#operations/backup/prune.ts';
import { LOG_FORMATS, LOG_LEVELS } from './log/log.ts';

interface Setting {
  /** Parses the variable's value. Error messages are appended to the variable's name. */
  readonly parse: z.ZodType;
  readonly default?: string;
  /** Empty if the help of the previous variable also covers this one. */
  readonly help: string;
}
type Settings = Readonly<Record<string, Setting>>;

const text = (maxLength: number) => z.string().max(maxLength, `must be at most ${maxLength} characters long`);
const choice = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, `must be ${[values.slice(0, -1).join(', '), values.at(-1)].join(' or ')}`);
const onOff = choice('on', 'off').transform((value) => value === 'on');
const list = z.string().transform((value) => value.split(/[\s,]+/).filter(Boolean));

const isHttpUrl = (value: string): boolean => /^https?:$/.test(URL.parse(value)?.protocol ?? '');
const withoutSlash = (value: string): string => value.replace(/\/+$/, '');
const httpUrl = z
  .string()
  .refine(isHttpUrl, 'must be an address that starts with http:// or https://')
  .transform(withoutSlash);

const wholeNumber = (unit: string, least = 0) =>
  z.coerce
    .number(`must be a number of ${unit}`)
    .int(`must be a whole number of ${unit}`)
    .min(least, `must be ${least === 0 ? `0 ${unit} or more` : `at least ${least} ${unit}`}`);
const megabytes = wholeNumber('megabytes');
const seconds = wholeNumber('seconds');

const PORT_RANGE = 'must be a number from 1 to 65535';
const port = z.coerce.number(PORT_RANGE).int(PORT_RANGE).min(1, PORT_RANGE).max(65535, PORT_RANGE);

/** Appwrite's rule for ids (contract 1.1). */
const id = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/,
    'must be 1 to 36 characters of a-z, A-Z, 0-9, period, hyphen and underscore, and start with a letter or digit',
  );

/** Refuses weak secrets, because rate limits do not stop guessing: the right secret always passes. */
const secret = z
  .string()
  .min(16, 'must be at least 16 characters long')
  .refine((value) => new Set(value).size >= 5, 'is easy to guess. Create one with “openssl rand -hex 32”');
const bearerToken = secret.regex(
  /^[\x21-\x7e]*$/,
  'must consist of ASCII letters, digits and punctuation, without spaces',
);

const host = z
  .string()
  .refine(
    (value) => /^[A-Za-z0-9.:_-]+$/.test(value) && (isIP(value) !== 0 || URL.canParse(`http://${value}`)),
    'must be a host name or an IP address, such as 127.0.0.1 or 0.0.0.0',
  );

const mailHost = z
  .string()
  .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address, such as mail.example.com');

const MAIL_SECURITY = { tls: 'tls', starttls: 'tls', ssl: 'ssl', none: 'none', off: 'none' } as const;
const mailSecurity = z
  .string()
  .toLowerCase()
  .refine((value) => value in MAIL_SECURITY, 'must be tls (STARTTLS), ssl (TLS from the first byte) or none')
  .transform((value) => MAIL_SECURITY[value as keyof typeof MAIL_SECURITY]);

/** An email address, alone or as `Name <address>`. */
const mailbox = z
  .string()
  .transform((value) => /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+?))\s*$/.exec(value))
  .transform((match) => ({ name: match?.[1] ?? '', address: match?.[2] ?? match?.[3] ?? '' }))
  .refine(({ address }) => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address), 'must be an e-mail address, or Name <address>');

/** The local part of an address has at most 64 characters (RFC 5321, 4.5.3.1.1), and a return path adds 44. */
const bounceAddress = z
  .string()
  .regex(
    /^[A-Za-z0-9._-]{1,20}@[A-Za-z0-9.-]+$/,
    'must be an e-mail address with at most 20 letters, digits, periods, hyphens or underscores before the @',
  );

const securityContact = z
  .string()
  .transform((value) => (/^[^\s:@]+@[^\s@]+$/.test(value) ? `mailto:${value}` : value))
  .refine(
    (value) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value) && URL.canParse(value),
    'must be an e-mail address or an address that starts with https://',
  );

/** Accepts a host name, `*`, `*.example.com`, or an origin. */
const isWebClient = (client: string): boolean =>
  /^(\*|(\*\.)?[A-Za-z0-9.:[\]-]+)$/.test(client) || (/^https?:\/\/[^/?#@]+$/i.test(client) && URL.canParse(client));

const accepted = <Out>(work: (value: string) => Out, message: string) =>
  z.string().transform((value, context) => {
    try {
      return work(value);
    } catch {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });
const pictureSources = accepted(
  (value) => allowing(value.split(/[\s,]+/).filter(Boolean)),
  'must be host names, addresses or networks separated by commas, such as wiki.intra,10.1.0.0/16',
);
const backupsKept = accepted((value) => {
  parseKeep(value);
  return value;
}, 'must be a list such as 7d,4w,12m');

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const interval = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a number followed by s, m, h or d, such as 24h')
  .transform((value) => Number(value.slice(0, -1)) * UNIT_MS[value.slice(-1) as keyof typeof UNIT_MS]);

const SITE = {
  PORT: { parse: port, default: '4321', help: 'Port the server listens on.' },
  HOST: {
    parse: host,
    default: '127.0.0.1',
    help: 'Address the server listens on; 0.0.0.0 for all addresses of this machine.',
  },
  DATA_DIR: {
    parse: z.string(),
    default: './data',
    help: 'Folder that contains everything: database, files, stored pages, the server key. Back this up.',
  },
  SITE_URL: {
    // Must be an origin: every URL of the site begins with it, and the site's cookies and paths use the entire host.
    parse: httpUrl
      .refine(
        (value) => !/^https?:\/\/[^/?#]*[@/?#]/i.test(value),
        'must have no path, query or password, such as https://blog.example.com',
      )
      .transform((value) => URL.parse(value)?.origin ?? value),
    help: 'The address readers use, such as https://blog.example.com, without a path. Default: the address the server listens on.',
  },
  SITE_NAME: {
    parse: text(80),
    help: 'The site’s name, in the title of every page. Default: Common Ink. This and the next two override DATA_DIR/site.toml and the owner’s settings (docs/theming.md).',
  },
  SITE_TAGLINE: { parse: text(300), help: 'The text in the footer. Default: the one that comes with Common Ink.' },
  SITE_LANGUAGE: {
    parse: choice(...LANGUAGES),
    help: 'The language of the interface: en (the default) or de. Posts keep their own language.',
  },
  SECURITY_CONTACT: {
    parse: securityContact,
    help: 'Where to report a security problem: an e-mail address or an https:// address. The site shows it at /.well-known/security.txt. Not set: that page is 404.',
  },
} satisfies Settings;

const BACKEND = {
  APPWRITE_ENDPOINT: {
    parse: httpUrl.refine(
      (value) => new URL(value).pathname.endsWith('/v1'),
      'must end in /v1, for example https://appwrite.example.com/v1',
    ),
    help: 'Address of an Appwrite to use instead of the embedded backend, ending in /v1.',
  },
  APPWRITE_ACCESS: {
    parse: choice('gateway', 'direct'),
    default: 'gateway',
    help: 'How browsers reach that Appwrite: gateway (through this site’s /v1, first-party cookies) or direct.',
  },
  APPWRITE_PROJECT_ID: {
    parse: id,
    default: 'common-ink',
    help: 'Project, database, collection of the posts, collection of their former versions, bucket of the pictures.',
  },
  APPWRITE_DATABASE_ID: { parse: id, default: 'blog', help: '' },
  APPWRITE_COLLECTION_ID: { parse: id, default: 'articles', help: '' },
  APPWRITE_REVISIONS_ID: { parse: id, default: 'revisions', help: '' },
  APPWRITE_BUCKET_ID: { parse: id, default: 'media', help: '' },
  APPWRITE_API_KEY: {
    parse: z.string().min(16, 'must be at least 16 characters long'),
    help: 'Server key. If it is not set, the server creates one with every scope for the embedded backend, in DATA_DIR/server-key.',
  },
  WRITERS: {
    parse: choice(...WRITERS),
    help: 'Who may create posts: everyone with an account, or members of the site’s team (docs/people.md). Default: what the owner chose on /site, at first everyone.',
  },
  PICTURE_SWEEP: {
    parse: onOff,
    default: 'on',
    help: 'Whether the server deletes pictures that no post and no former version uses: on or off. Set it to off if another site stores its pictures in the same bucket.',
  },
  PICTURE_COPY: {
    parse: onOff,
    default: 'on',
    help: 'Whether the server copies other sites’ pictures in a pasted text into the blog when the writer asks: on or off.',
  },
  PICTURE_COPY_ALLOW: {
    parse: pictureSources,
    default: '',
    help: 'The server fetches other sites’ pictures only from the public internet and from these host names, addresses and networks, separated by commas.',
  },
  EMBEDDED_RATE_LIMITS: { parse: onOff, default: 'on', help: 'Rate limits of the embedded backend: on or off.' },
  UPLOAD_QUOTA_MB: {
    parse: megabytes,
    default: '1024',
    help: 'Maximum megabytes that a writer may store in the embedded backend: pictures, posts and their former versions. 0: no limit.',
  },
  DISK_RESERVE_MB: {
    parse: megabytes,
    help: 'Megabytes of free disk below which only the server key may write; 0: none. Default: 256, or a twentieth of a disk smaller than 5 GB.',
  },
  EMBEDDED_ANONYMOUS: {
    parse: onOff,
    default: 'off',
    help: 'Whether the embedded backend creates accounts without e-mail and password for anyone who asks: on or off. The site does not need them.',
  },
  EMBEDDED_WEB_ORIGINS: {
    parse: list.refine(
      (clients) => clients.every(isWebClient),
      'must be host names or origins separated by commas, such as example.com,*.example.org,https://app.example.net',
    ),
    default: '',
    help: 'Other browser clients of the embedded backend, separated by commas: host names of any scheme and port, *.example.com, or origins such as https://app.example.com. If it is set, browsers send the session cookie from other sites too.',
  },
} satisfies Settings;

const MAIL = {
  SMTP_HOST: {
    parse: mailHost,
    help: 'The SMTP server through which the embedded backend sends mail: password resets, address confirmations, sign-in codes and links, invitations. If it is not set, anything that needs a mail is refused. Default port: 587, or 465 with ssl.',
  },
  SMTP_PORT: { parse: port, help: '' },
  SMTP_SECURE: {
    parse: mailSecurity,
    help: 'tls (STARTTLS, no mail without it), ssl (TLS from the first byte) or none. Default: ssl on port 465; tls with a user name and a server on another machine; otherwise STARTTLS if the server offers it.',
  },
  SMTP_USERNAME: { parse: z.string(), help: '' },
  SMTP_PASSWORD: { parse: z.string(), help: '' },
  MAIL_FROM: {
    parse: mailbox,
    help: 'The sender, required with SMTP_HOST: an address, or Name <address>. Default name: the name that the owner chose, or else the site’s name.',
  },
  MAIL_BOUNCES: {
    parse: z.string().refine(isAbsolute, 'must be an absolute path, such as /var/mail/bounces'),
    help: 'A Maildir from which the server reads bounces of the newsletter, and the address whose mail is delivered there. With bounces@example.com, mail to bounces+ANYTHING@example.com must be delivered there too, because each mail has its own return path.',
  },
  MAIL_BOUNCE_ADDRESS: { parse: bounceAddress, help: '' },
  _APP_SMTP_HOST: {
    parse: mailHost,
    help: 'The same settings under the names that a self-hosted Appwrite uses; those above override them.',
  },
  _APP_SMTP_PORT: { parse: port, help: '' },
  _APP_SMTP_SECURE: { parse: mailSecurity, help: '' },
  _APP_SMTP_USERNAME: { parse: z.string(), help: '' },
  _APP_SMTP_PASSWORD: { parse: z.string(), help: '' },
  _APP_SYSTEM_EMAIL_ADDRESS: { parse: mailbox, help: '' },
  _APP_SYSTEM_EMAIL_NAME: { parse: text(80), help: '' },
} satisfies Settings;

const SERVER = {
  TRUSTED_PROXIES: {
    parse: list.refine(
      (proxies) => proxies.every(isProxy),
      'must be addresses or networks separated by commas, such as loopback,10.0.0.0/8',
    ),
    default: '',
    help: 'Reverse proxies in front of this server, separated by commas: addresses, networks (10.0.0.0/8), loopback, private. Only their X-Forwarded-For and X-Forwarded-Proto are trusted; rate limits per reader and Secure cookies depend on these headers.',
  },
  CLIENT_ADDRESS_HEADER: {
    parse: z.string().regex(/^[\w-]+$/, 'must be the name of a header, such as Fly-Client-IP'),
    default: 'X-Forwarded-For',
    help: 'The header in which these proxies pass on the reader’s address. Some hosts use their own header, such as Fly-Client-IP or X-Real-IP, because their X-Forwarded-For ends with an address that is not the reader’s.',
  },
  LOG_FORMAT: {
    parse: choice(...LOG_FORMATS),
    help: 'Format of the log: text, or json (one object per line). Default: text on a terminal, json elsewhere.',
  },
  LOG_LEVEL: {
    parse: choice(...LOG_LEVELS),
    default: 'info',
    help: 'The least severe level that is logged: info, warn or error.',
  },
  METRICS_TOKEN: {
    parse: bearerToken,
    help: 'Lets a program on another machine read /metrics (Authorization: Bearer …); 16 characters or more. Not set: only programs on this machine can read it.',
  },
  BACKUP_EVERY: {
    parse: interval,
    help: 'For the embedded backend only: how often the server backs itself up, in seconds, minutes, hours or days (24h), and the folder for the backups. It must be outside DATA_DIR and not be used by another site, because older backups there are deleted. Each backup is checked as with `restore --check`.',
  },
  BACKUP_DIR: { parse: z.string(), help: '' },
  BACKUP_KEEP: {
    parse: backupsKept,
    default: '7d,4w,12m',
    help: 'Which backups to keep: the newest of each of this many days, weeks and months.',
  },
} satisfies Settings;

const PUBLISHING = {
  FAST_PATH: {
    parse: onOff,
    default: 'on',
    help: 'Whether plain reads of stored pages are answered before the HTTP server parses them, at half the cost: on or off.',
  },
  PAGES_DISK_MB: {
    parse: wholeNumber('megabytes', 8),
    default: '2048',
    help: 'Maximum megabytes of stored pages on disk and in memory.',
  },
  PAGES_MEMORY_MB: { parse: wholeNumber('megabytes', 8), default: '16', help: '' },
  REBUILD_TOKEN: {
    parse: bearerToken,
    help: 'Bearer token of POST /api/rebuild and GET /api/pages, in ASCII without spaces. Not set: both are refused. This and the other secrets need at least 16 characters; create each with: openssl rand -hex 32',
  },
  SYNC_DIR: {
    parse: z.string(),
    help: 'A folder of Markdown files that POST /api/sync syncs with the blog, with REBUILD_TOKEN as its token (docs/sync.md).',
  },
  WEBHOOK_SECRET: {
    parse: secret,
    help: 'Signing secret of Appwrite’s webhook to POST /api/webhooks/appwrite. Not set: the webhook is refused.',
  },
  PAGES_MAX_AGE: {
    parse: seconds,
    help: 'Seconds after which a page is rendered again even if no change is known; 0: never. Default: 600 with a remote Appwrite, whose messages may get lost; 0 with the embedded backend.',
  },
  PEERS: {
    parse: list
      .transform((peers) => peers.map(withoutSlash))
      .refine(
        (peers) => peers.every(isHttpUrl),
        'must be addresses separated by commas, such as http://10.0.0.2:4321,http://10.0.0.3:4321',
      ),
    default: '',
    help: 'For several instances on one Appwrite: the addresses of the others, separated by commas, and a secret that all of them share.',
  },
  PEER_SECRET: { parse: secret, help: '' },
  INDEXNOW_KEY: {
    parse: z.string().regex(/^[A-Za-z0-9-]{8,128}$/, 'must be 8 to 128 letters, digits and hyphens'),
    help: 'Key for IndexNow, through which the site tells search engines about new, changed and removed posts: 8 to 128 letters, digits and hyphens of your choice, shown at /KEY.txt. The endpoint may be that of any participating search engine.',
  },
  INDEXNOW_ENDPOINT: { parse: httpUrl, default: 'https://api.indexnow.org/indexnow', help: '' },
  WEBSUB_HUB: {
    parse: httpUrl,
    help: 'A WebSub hub, such as https://pubsubhubbub.appspot.com. The feeds name it, and the site notifies it of each change to a post.',
  },
  CDN_PROVIDER: {
    parse: choice('cloudflare', 'fastly', 'bunny', 'generic'),
    help: 'A CDN to notify of each change: cloudflare, fastly, bunny, or generic (any cache that takes one call per page or tag).',
  },
  CDN_TOKEN: {
    parse: z.string(),
    help: 'Its API token, and the zone (Cloudflare), service (Fastly) or pull zone (Bunny).',
  },
  CDN_ZONE: { parse: z.string(), help: '' },
  CDN_PURGE_URL: {
    parse: z
      .string()
      .regex(
        /^https?:\/\/.*\{(?:url|path|tag)\}|^\{url\}$/,
        'must be an address with {url}, {path} or {tag} in it, such as http://varnish:6081{path}',
      ),
    help: 'generic: the address to call, with {url}, {path} or {tag} in it, e.g. http://varnish:6081{path}',
  },
  CDN_PURGE_BY: {
    parse: choice('tags', 'urls'),
    default: 'tags',
    help: 'Cloudflare: purge by tags, or by urls where the plan has no tags.',
  },
  CDN_MAX_AGE: {
    parse: seconds,
    default: '86400',
    help: 'Seconds the CDN may keep a page; never more than PAGES_MAX_AGE.',
  },
} satisfies Settings;

const SETTINGS = { ...SITE, ...BACKEND, ...MAIL, ...SERVER, ...PUBLISHING };

export const SECTIONS: Readonly<Record<string, Settings>> = {
  'the site': SITE,
  'the backend': BACKEND,
  mail: MAIL,
  'the server': SERVER,
  publishing: PUBLISHING,
};

export const VARIABLES: readonly string[] = Object.keys(SETTINGS);

type Values = {
  readonly [Name in keyof typeof SETTINGS]:
    | z.output<(typeof SETTINGS)[Name]['parse']>
    | ((typeof SETTINGS)[Name] extends { readonly default: string } ? never : undefined);
};

/** Returns the variables' values and faults. An empty variable counts as unset. */
export function readSettings(environment: NodeJS.ProcessEnv): { readonly values: Values; readonly faults: string[] } {
  const faults: string[] = [];
  const entries = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const given = environment[name] || setting.default;
    const parsed = given === undefined ? undefined : setting.parse.safeParse(given);
    for (const { message } of parsed?.error?.issues ?? []) faults.push(`${name} ${message}.`);
    return [name, parsed?.data];
  });
  return { values: Object.fromEntries(entries), faults };
}
