import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface LoadOrder {
  readonly port: number;
  /** Raw HTTP requests in base64, sent in turn; each `@@@@@@@@@@@@` is replaced with a new text. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  /** In milliseconds. */
  readonly latencies: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
}

export interface Load {
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): void;
}

export function startLoad(): Load {
  const child: ChildProcess = fork(join(import.meta.dirname, 'load-child.ts'), {
    execArgv: [],
    serialization: 'advanced',
  });
  return {
    async run(order) {
      const answer = once(child, 'message') as Promise<[LoadResult]>;
      child.send(order);
      return (await answer)[0];
    },
    stop: () => child.disconnect(),
  };
}

/** Returns a raw request for a keep-alive connection. */
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
