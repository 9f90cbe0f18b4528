/** Requests as attackers and honest people send them, each from an address of this machine of his own. */
import { request as httpRequest } from 'node:http';

export interface Reply {
  /** 0: the connection broke, or nothing came in time. */
  readonly status: number;
  readonly milliseconds: number;
}

export interface Call {
  readonly url: string;
  readonly method?: string;
  /** Of this machine: any of 127.0.0.0/8. */
  readonly from?: string;
  readonly body?: Buffer | object;
  /** Milliseconds (default 20 s). */
  readonly patience?: number;
}

/** Sends one request over a connection of its own and reads the answer. */
export function call({ url, method = 'GET', from = '127.0.0.1', body, patience = 20_000 }: Call): Promise<Reply> {
  const begun = performance.now();
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const headers = {
    'x-appwrite-project': 'common-ink',
    ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
  };
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, milliseconds: performance.now() - begun });
    const signal = AbortSignal.timeout(patience);
    const request = httpRequest(url, { method, headers, localAddress: from, agent: false, signal }, (response) => {
      response.on('error', () => end(0)).on('end', () => end(response.statusCode ?? 0));
      response.resume();
    });
    request.on('error', () => end(0)).end(bytes);
  });
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A reader who asks for a page again and again until `signal`: how long each answer took, milliseconds. */
export async function readUntil(url: string, signal: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  while (!signal.aborted) {
    waits.push((await call({ url })).milliseconds);
    await pause(20);
  }
  return waits;
}
