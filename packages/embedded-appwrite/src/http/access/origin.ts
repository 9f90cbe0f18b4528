import { AppwriteError } from '../errors.ts';

const named = (prefix: string, names: string): string[] => names.split(' ').map((name) => prefix + name);

const ALLOWED_HEADERS = [
  ...named('', 'Accept Origin Cookie Set-Cookie Content-Type Content-Range'),
  ...named('X-Appwrite-', 'Project Key Dev-Key Locale Mode JWT Organization Response-Format Timeout ID Timestamp'),
  ...named('X-Appwrite-', 'Session Platform Impersonate-User-Id Impersonate-User-Email Impersonate-User-Phone'),
  ...named('X-SDK-', 'Version Name Language Platform GraphQL Profile'),
  ...named('', 'Range Cache-Control Expires Pragma X-Fallback-Cookies X-Requested-With'),
  ...named('X-Forwarded-', 'For User-Agent'),
].join(', ');

const NO_HEADERS: readonly string[] = [];

export type Origins = ReturnType<typeof createOrigins>;

function webAddress(origin: string): URL | undefined {
  const url = URL.parse(origin);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}

/**
 * @param patterns complete origins (`https://app.example.com`), or host names with any scheme and port: `example.com`,
 * `*.example.com` for its subdomains, `*` for any
 */
function matcher(patterns: readonly string[]): (url: URL) => boolean {
  const exact = new Set(patterns.map((pattern) => webAddress(pattern)?.origin ?? pattern.toLowerCase()));
  const suffixes = [...exact].filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1));
  return ({ origin, hostname }) =>
    exact.has(origin) || exact.has('*') || exact.has(hostname) || suffixes.some((suffix) => hostname.endsWith(suffix));
}

function answerHeaders(origin: string): readonly string[] {
  return [
    ...['Access-Control-Allow-Origin', origin.toLowerCase()],
    ...['Access-Control-Allow-Credentials', 'true'],
    ...['Access-Control-Expose-Headers', 'X-Appwrite-Session, X-Fallback-Cookies'],
  ];
}

/**
 * Returns a preflight's response headers. Other responses omit the headers that browsers read only from preflights,
 * which saves about a kilobyte.
 */
function preflightHeaders(origin: string): readonly string[] {
  return [
    ...answerHeaders(origin),
    ...['Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE'],
    ...['Access-Control-Allow-Headers', ALLOWED_HEADERS],
    ...['Access-Control-Max-Age', '86400'],
  ];
}

/** @param patterns see `EmbeddedOptions.ownOrigins` and `webOrigins` */
export function createOrigins(patterns: readonly string[]) {
  const matches = matcher(patterns);

  /** Returns a response's CORS headers as a flat list of names and values; empty for an origin that is not allowed. */
  function headers(origin: string): readonly string[] {
    const url = webAddress(origin);
    return url && matches(url) ? answerHeaders(origin) : NO_HEADERS;
  }

  const allows = (origin: string): boolean => headers(origin).length > 0;

  return {
    allows,
    headers,
    /** Returns a preflight's CORS headers. Every origin gets them, because the actual request is checked later. */
    preflight: (origin: string | undefined): readonly string[] =>
      origin === undefined ? NO_HEADERS : preflightHeaders(origin),
    /** Throws 403 `general_unknown_origin` when the origin is not allowed. */
    enforce(origin: string): void {
      if (allows(origin)) return;
      const host = webAddress(origin)?.hostname ?? '';
      throw new AppwriteError(
        'general_unknown_origin',
        host === ''
          ? `Invalid Scheme. The scheme used (${origin.split(':')[0]}) in the Origin (${origin}) is not supported. If you are using a custom scheme, please change it to \`appwrite-callback-<PROJECT_ID>\``
          : `Invalid Origin. Register your new client (${host}) as a new Web platform on your project console dashboard`,
      );
    },
  };
}
