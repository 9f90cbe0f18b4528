/**
 * Fetches a picture from another site for a writer who copies it. Writers can name any URL, so this connects only to
 * the public internet and allowed hosts, even after redirects (decision 015).
 */
import { lookup as lookUp, Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { DomainError } from '#blog/errors.ts';
import { IMAGE_MAX_BYTES, imageType } from '#blog/images.ts';
import { type Allowed, isIn, isPublic } from './reachable.ts';

export interface RemotePicture {
  /** The bytes stay in chunks, because joining them would hold the picture in memory twice. */
  readonly chunks: readonly Buffer[];
  readonly length: number;
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif';
}

export interface FetchOptions {
  readonly allowed: Allowed;
  /** Resolves a host name; called once per connection. Default: queries the system's name servers. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Time limit for the entire download. Default: 15 seconds. */
  readonly milliseconds?: number;
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal;
}

const MOST_REDIRECTS = 4;
const PATIENCE = 15_000;
const HEAD_BYTES = 16;

/** Request headers: no cookie, no referrer, and no compressed responses. */
const HEADERS = {
  accept: 'image/png,image/jpeg,image/gif,image/webp;q=0.9,image/avif;q=0.8',
  'accept-encoding': 'identity',
  'user-agent': 'Common Ink (copies a picture for a writer)',
};

export async function fetchPicture(address: string, options: FetchOptions): Promise<RemotePicture> {
  const late = AbortSignal.timeout(options.milliseconds ?? PATIENCE);
  const signal = options.signal ? AbortSignal.any([late, options.signal]) : late;
  try {
    const answer = await follow(address, { ...options, signal });
    const picture = await read(answer);
    // A response without a Content-Length seems complete when the connection closes, even if our own abort closed it.
    signal.throwIfAborted();
    return picture;
  } catch (error) {
    if (late.aborted) throw new DomainError('site-slow', 'The site took too long to give the picture.');
    if (error instanceof DomainError) throw error;
    const { message } = error as Error;
    throw new DomainError('site-unreachable', `The site cannot be reached: ${message}`, { cause: error });
  }
}

type Following = FetchOptions & { readonly signal: AbortSignal };

async function follow(address: string, options: Following): Promise<IncomingMessage> {
  let url = checked(address);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await ask(url, options);
    const { statusCode = 0, headers } = answer;
    if (statusCode === 200) return answer;
    answer.destroy();
    const redirected = [301, 302, 303, 307, 308].includes(statusCode) && headers.location;
    if (!redirected) throw new DomainError('site-refused', `The site answered ${statusCode}.`);
    if (redirects === MOST_REDIRECTS) throw new DomainError('site-refused', 'The site redirects too often.');
    url = checked(redirected, url);
  }
}

function checked(address: string, base?: URL): URL {
  const url = URL.parse(address, base);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new DomainError('bad-address', 'The address must begin with http:// or https://.');
  }
  if (url.username || url.password) {
    throw new DomainError('bad-address', 'The address must not hold a name or a password.');
  }
  return url;
}

function ask(url: URL, { allowed, signal, resolve = resolvePublic }: Following): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  /** @throws DomainError for a forbidden IP address or port */
  const check = (addresses: readonly string[]) => {
    if (allowed.hosts.has(host)) return;
    const outside = addresses.filter((address) => !isIn(allowed.networks, address));
    if (!outside.every(isPublic)) {
      throw new DomainError('private-address', `${host} is not on the public internet.`);
    }
    if (outside.length > 0 && url.port) {
      throw new DomainError('bad-address', 'Pictures are fetched from the ports of http and https alone.');
    }
  };
  // Checks the addresses that the connection uses, because a second lookup could return different ones.
  const lookup: LookupFunction = (name, { all }, callback) => {
    (allowed.hosts.has(host) ? resolveHere(name) : resolve(name))
      .then((addresses) => {
        const [first] = addresses;
        if (first === undefined) throw new DomainError('site-unreachable', `There is no ${host}.`);
        check(addresses);
        return addresses.map((address) => ({ address, family: isIP(address) }));
      })
      .then(
        (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
        (error: Error) => callback(error, ''),
      );
  };
  return new Promise((answered, failed) => {
    // Node.js does not call `lookup` for an IP address, so it is checked here.
    if (isIP(host) !== 0) check([host]);
    const request = url.protocol === 'https:' ? overHttps : overHttp;
    const options: RequestOptions = { headers: HEADERS, agent: false, lookup, signal };
    request(url, options, answered)
      .on('error', failed)
      // If a response switches protocols, `close` is emitted, but no error. Otherwise, the promise is already settled.
      .on('close', () => failed(new Error('The connection was closed without an answer.')))
      .end();
  });
}

async function read(answer: IncomingMessage): Promise<RemotePicture> {
  const tooLarge = () => {
    const megabytes = IMAGE_MAX_BYTES / 1_000_000;
    return new DomainError('too-large', `The picture is larger than ${megabytes} MB.`);
  };
  if (Number(answer.headers['content-length']) > IMAGE_MAX_BYTES) {
    answer.destroy();
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let type: RemotePicture['type'] | undefined;
  // Throwing in this loop closes the connection.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > IMAGE_MAX_BYTES) throw tooLarge();
    if (!type && length >= HEAD_BYTES) type = typeOf(Buffer.concat(chunks));
  }
  return { chunks, length, type: type ?? typeOf(Buffer.concat(chunks)) };
}

/** Detects the type from the bytes, not from the other site's Content-Type. */
function typeOf(bytes: Buffer): RemotePicture['type'] {
  const text = bytes.toString('latin1', 0, HEAD_BYTES);
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp';
  if (/^.{4}ftypavi[fs]/s.test(text)) return 'image/avif';
  const type = imageType(bytes);
  if (!type) throw new DomainError('no-picture', 'What the site gives is no picture that can be copied.');
  return type === 'jpg' ? 'image/jpeg' : `image/${type}`;
}

/**
 * Queries name servers directly. If the other site's name server is slow, the system's lookup would block a thread of
 * the pool that also reads files.
 */
async function resolvePublic(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  const none = (): string[] => [];
  const [v4, v6] = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]);
  return [...v4, ...v6];
}

/** Resolves a host that the operator allows. Uses the system's lookup, because it also reads the hosts file. */
const resolveHere = async (host: string): Promise<string[]> =>
  (await lookUp(host, { all: true })).map(({ address }) => address);
