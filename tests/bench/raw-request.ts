/** Builds requests as the bytes that go over the wire, and records answers. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RecordedResponse {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export function rawRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const length = method === 'GET' ? {} : { 'content-length': String(body.length) };
  const lines = Object.entries({ host: 'localhost:4321', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

const OF_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Sends the request once and returns the answer for replay. */
export async function record(port: number, raw: Buffer): Promise<RecordedResponse> {
  const text = raw.toString('latin1');
  const [line = '', ...lines] = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(lines.map((header) => header.split(/: (.*)/s).slice(0, 2)));
  const request = httpRequest({ port, method, path, headers });
  request.end(raw.subarray(raw.indexOf('\r\n\r\n') + 4));
  const [response] = await once(request, 'response');
  const body = await buffer(response);
  const { rawHeaders } = response as { rawHeaders: string[] };
  const kept = rawHeaders.filter((_, i) => !OF_CONNECTION.has((rawHeaders[i - (i % 2)] as string).toLowerCase()));
  return { status: response.statusCode, headers: kept, body };
}
