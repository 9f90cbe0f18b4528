/** A bare `node:http` server that sends the same bytes: Node's own cost on this machine now. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';

export interface CannedResponse {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

export interface BareServer {
  readonly port: number;
  readonly pid: number;
  answerWith(answer: CannedResponse): Promise<void>;
  stop(): void;
}

export async function startBare(): Promise<BareServer> {
  const child = fork(join(import.meta.dirname, 'bare-child.ts'), { execArgv: [], serialization: 'advanced' });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    pid: child.pid as number,
    async answerWith(answer) {
      const ready = once(child, 'message');
      child.send(answer);
      await ready;
    },
    stop: () => child.disconnect(),
  };
}

const OF_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Requests an answer once and records it for replay. */
export async function record(port: number, raw: Buffer): Promise<CannedResponse> {
  const text = raw.toString('latin1');
  const [line = '', ...lines] = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(lines.map((header) => header.split(/: (.*)/s).slice(0, 2)));
  const request = httpRequest({ port, method, path, headers });
  request.end(raw.subarray(raw.indexOf('\r\n\r\n') + 4));
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { rawHeaders } = response as { rawHeaders: string[] };
  const kept = rawHeaders.filter((_, i) => !OF_CONNECTION.has((rawHeaders[i - (i % 2)] as string).toLowerCase()));
  return { status: response.statusCode, headers: kept, body: Buffer.concat(chunks) };
}
