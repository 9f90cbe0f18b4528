/** A raw HTTP client that can send every header (`fetch` forbids some) and never follows redirects or retries. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Server } from './server.ts';

export class HttpResponse {
  readonly request: string;
  readonly status: number;
  readonly bytes: Buffer;
  readonly #headers = new Headers();
  constructor(request: string, status: number, rawHeaders: readonly string[], bytes: Buffer) {
    this.request = request;
    this.status = status;
    this.bytes = bytes;
    for (let i = 0; i < rawHeaders.length; i += 2) this.#headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  }

  /** Returns a header's values joined with commas, as in browsers; undefined if absent. */
  header(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  get cookies() {
    return this.#headers.getSetCookie().map(parseCookie);
  }

  readonly cookie = (name: string) => this.cookies.find((cookie) => cookie.name === name);

  /** Throws an error that quotes the body, unless the status is one of `statuses`. */
  is(...statuses: readonly number[]): this {
    if (statuses.includes(this.status)) return this;
    throw new Error(`${this.request} gave ${this.status}, not ${statuses.join(' or ')}: ${this.text.slice(0, 400)}`);
  }

  json<T = Record<string, unknown>>(): T {
    const type = this.header('content-type') ?? 'no content type';
    if (!type.includes('application/json')) {
      throw new Error(`${this.request} answered ${this.status} with ${type}, not JSON: ${this.text.slice(0, 200)}`);
    }
    return JSON.parse(this.text) as T;
  }
}

/** A promise of a response. Its methods check the response's status and body in one chain. */
export class Answer extends Promise<HttpResponse> {
  is(...statuses: readonly number[]): Answer {
    return this.then((response) => response.is(...statuses)) as Answer;
  }

  json<T = Record<string, unknown>>(status = 200): Promise<T> {
    return this.then((response) => response.is(status).json<T>());
  }
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  /** Lists are sent in the SDKs' format: `queries[0]=…&queries[1]=…`. */
  readonly query?: Query;
}

/** Objects are sent as JSON, forms as multipart, buffers unchanged. */
export type Body = Readonly<Record<string, unknown>> | FormData | Buffer | undefined;

export class Http {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(endpoint: string, headers: Readonly<Record<string, string>> = {}) {
    this.endpoint = endpoint;
    this.headers = headers;
  }

  /** Returns a client for the server's project: a guest, unless `headers` authenticate it. */
  static to(server: Server, headers: Readonly<Record<string, string>> = {}): Http {
    return new Http(server.endpoint, { 'x-appwrite-project': server.projectId, ...headers });
  }

  with(headers: Readonly<Record<string, string>>): Http {
    return new Http(this.endpoint, { ...this.headers, ...headers });
  }

  readonly get = (path: string, options?: Options): Answer => this.send('GET', path, undefined, options);
  readonly post = this.#method('POST');
  readonly put = this.#method('PUT');
  readonly patch = this.#method('PATCH');
  readonly delete = this.#method('DELETE');

  #method(method: string): (path: string, body?: Body, options?: Options) => Answer {
    return (path, body, options) => this.send(method, path, body, options);
  }

  send(method: string, path: string, body?: Body, options?: Options): Answer {
    return new Answer((resolve) => resolve(this.#exchange(method, path, body, options)));
  }

  async #exchange(method: string, path: string, body?: Body, options: Options = {}): Promise<HttpResponse> {
    const url = new URL(this.endpoint + path);
    for (const [name, value] of flatten(options.query ?? {})) url.searchParams.append(name, value);
    const [type, bytes] = await encode(body);
    const headers: Record<string, string> = { ...type, ...this.headers, ...options.headers };
    if (bytes) headers['content-length'] = String(bytes.length);
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { method, headers, agent: false }, async (incoming) => {
        const { statusCode = 0, rawHeaders } = incoming;
        const bytes = buffer(incoming).catch(reject);
        resolve(new HttpResponse(`${method} ${path}`, statusCode, rawHeaders, (await bytes) ?? Buffer.alloc(0)));
      });
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
  }
}

async function encode(body: Body): Promise<[Record<string, string>, Buffer?]> {
  if (body === undefined) return [{}];
  if (Buffer.isBuffer(body)) return [{}, body];
  if (body instanceof FormData) {
    const encoded = new Response(body);
    return [{ 'content-type': encoded.headers.get('content-type') ?? '' }, Buffer.from(await encoded.arrayBuffer())];
  }
  return [{ 'content-type': 'application/json' }, Buffer.from(JSON.stringify(body))];
}

const flatten = (query: Query): (readonly [string, string])[] =>
  Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'object'
      ? value.map((item, index) => [`${name}[${index}]`, item] as const)
      : [[name, String(value)] as const],
  );

/** Parses `Set-Cookie`. The value stays encoded, attribute names become lower case, and flags get an empty value. */
function parseCookie(header: string) {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const split = (text: string): [string, string] => {
    const at = text.indexOf('=');
    return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  };
  const [name, value] = split(pair);
  return { name, value, attributes: new Map(attributes.map(split).map(([key, text]) => [key.toLowerCase(), text])) };
}
