/** One request and its response. Collects headers in a list; sets them one by one only if a handler uses `response`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Client, type ClientOf, networkOf, siteOf } from '@common-ink/http/client-address.ts';
import { GRACE_PERIOD, MINIMUM_RATE } from '@common-ink/http/limits/slow-body-timeout.ts';
import type { Caller } from '../caller.ts';
import { isDiskFull, StoreError } from '../sqlite/store-error.ts';
import { GUEST } from './access/authenticate.ts';
import type { Origins } from './access/origin.ts';
import type { Taken } from './access/rate-limits.ts';
import { AppwriteError } from './errors.ts';
import { exactText } from './exact-json.ts';
import type { LongAnswers } from './long-answers.ts';
import type { Answer, RouteContext } from './route.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** The version of Appwrite whose API this backend implements. */
export const VERSION = '1.9.6';

const JSON_TYPE = 'application/json; charset=UTF-8';
/** Default header for responses to signed-in users and callers with a server key, and for responses to writes. */
const OF_ONE = ['Cache-Control', 'private, no-store'];
const NOT_CACHED = { 'Cache-Control': 'no-cache, no-store, must-revalidate', Pragma: 'no-cache', Expires: '0' };

type Values = Record<string, unknown>;
const NO_VALUES: Values = Object.freeze({});

const isLater = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) > 0;

/** Returns the headers for every response (contract 1.3) as a new flat list of names and values. */
function commonHeaders(request: IncomingMessage, origins: Origins): string[] {
  const { headers } = request;
  const fallback = headers.cookie || headers['x-appwrite-session'] ? 'false' : 'true';
  const common = ['Server', 'Appwrite', 'X-Content-Type-Options', 'nosniff', 'X-Debug-Fallback', fallback];
  if (headers.origin) common.push(...origins.headers(headers.origin));
  const format = headers['x-appwrite-response-format'];
  if (typeof format === 'string' && /^\d+\.\d+\.\d+$/.test(format) && isLater(format, VERSION)) {
    common.push(
      'X-Appwrite-Warning',
      `The current SDK is built for Appwrite ${format}. However, the current Appwrite server version is ${VERSION}. Please downgrade your SDK to match the Appwrite version: https://appwrite.io/docs/sdks`,
    );
  }
  return common;
}

export interface RequestServices {
  readonly clientOf: ClientOf;
  readonly origins: Origins;
  readonly longAnswers: LongAnswers;
  readonly unreadAnswers: UnreadAnswers;
}

export class RequestContext implements RouteContext<Values> {
  params: Values = NO_VALUES;
  caller: Caller = GUEST;
  admit: () => void = () => {};
  readonly taken: Taken[] = [];
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #headers: string[];
  #handedOver = false;
  readonly #services: RequestServices;
  #client: Client | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, services: RequestServices) {
    this.request = request;
    this.#response = response;
    this.#headers = commonHeaders(request, services.origins);
    this.#services = services;
  }

  get client(): Client {
    this.#client ??= this.#services.clientOf(this.request);
    return this.#client;
  }

  get response(): ServerResponse {
    if (!this.#handedOver) {
      this.#handedOver = true;
      this.#setAll(this.#headers.concat(this.#isOfOne() ? OF_ONE : []));
    }
    return this.#response;
  }

  addHeader(name: string, value: string): void {
    if (this.#handedOver) this.#response.setHeader(name, value);
    else this.#headers.push(name, value);
  }

  /** Sends a response that has no `pieces`. Throws 503 when too many bytes are waiting to be read by clients. */
  send({ status, body, json, headers }: Answer): void {
    const own: string[] = [];
    if (headers) for (const name in headers) own.push(name, headers[name] as string);
    const content = contentOf({ body, json });
    if (content !== undefined) {
      const length = Buffer.byteLength(content);
      this.#countUnread(length);
      own.push('Content-Type', JSON_TYPE, 'Content-Length', String(length));
    } else if (status !== 204) {
      // Without a length, Node would add `Transfer-Encoding: chunked`. A 204 must not have either header.
      own.push('Content-Length', '0');
    }
    this.#writeHead(status, own);
    this.#response.end(content);
  }

  /** Sends a response in pieces. Rejects with 503 if too many such responses wait, or with an error from `pieces`. */
  async sendPieces({ status, pieces }: Answer & Required<Pick<Answer, 'pieces'>>): Promise<void> {
    await this.#services.longAnswers.send({
      response: this.#response,
      network: this.caller.privileged ? undefined : this.#network(),
      pieces: this.request.method === 'HEAD' ? () => [] : pieces,
      writeHead: () => this.#writeHead(status, ['Content-Type', JSON_TYPE]),
    });
  }

  /** Sends the contract's error body (1.6), or cuts off a response that has already begun. */
  fail(error: AppwriteError): void {
    if (this.#response.headersSent) {
      this.#response.destroy();
      return;
    }
    const { code, type } = error;
    // Closes the connection instead of waiting for the rest of the body.
    if (type === 'general_request_timeout') this.addHeader('Connection', 'close');
    if (type === 'general_server_busy') this.addHeader('Retry-After', '2');
    this.send({ status: code, body: { message: error.message, code, type, version: VERSION }, headers: NOT_CACHED });
  }

  #network(): string {
    return siteOf(networkOf(this.client.address));
  }

  #countUnread(length: number): void {
    // Only reads can be refused. A write is already on disk, so its response must get through.
    if (this.caller.privileged || this.request.method !== 'GET') return;
    const isRead = this.#services.unreadAnswers.take(() => this.#network(), length);
    if (!isRead) return;
    const slow = setTimeout(() => this.#response.destroy(), GRACE_PERIOD + (length / MINIMUM_RATE) * 1000);
    this.#response.once('close', () => {
      clearTimeout(slow);
      isRead();
    });
  }

  #isOfOne(): boolean {
    return this.caller.kind !== 'guest' || (this.request.method !== 'GET' && this.request.method !== 'HEAD');
  }

  #writeHead(status: number, own: string[]): void {
    if (this.#isOfOne() && !own.includes('Cache-Control')) own.push(...OF_ONE);
    if (this.#handedOver) {
      this.#setAll(own);
      this.#response.writeHead(status);
    } else {
      this.#response.writeHead(status, this.#headers.concat(own));
    }
  }

  #setAll(headers: readonly string[]): void {
    for (let index = 0; index < headers.length; index += 2) {
      this.#response.setHeader(headers[index] as string, headers[index + 1] as string);
    }
  }
}

/** Bodies up to this length are sent as strings, which Node joins with the head. For longer bodies, joining is slow. */
const SHORT_TEXT = 16 * 1024;

function contentOf({ body, json }: Pick<Answer, 'body' | 'json'>): string | Buffer | undefined {
  const text = json ?? (body === undefined ? undefined : exactText(body));
  return text !== undefined && text.length > SHORT_TEXT ? Buffer.from(text) : text;
}

/** Returns the `AppwriteError` to send to the client. A full disk and a damaged database have their own errors. */
export function shownError(error: unknown): AppwriteError {
  if (isDiskFull(error)) return new AppwriteError('general_storage_full');
  if (error instanceof StoreError && error.code === 'damaged') {
    return new AppwriteError(
      'general_server_error',
      'The database is damaged: nothing can be saved until it is restored.',
    );
  }
  return error instanceof AppwriteError ? error : new AppwriteError('general_unknown', 'Server Error');
}
