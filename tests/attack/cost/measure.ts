/** Sends a request and measures its cost to the server. */
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';
import type { Use } from './probe.ts';

/** A request, or a WebSocket's handshake and frames. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** A loopback address to send from, since some limits count by address. */
  readonly from?: string;
  /** Frames sent once the WebSocket is open; the request is its handshake. */
  readonly frames?: readonly string[];
}

export interface Cost extends Use {
  /** An HTTP status, or `closed` if the server sent none. */
  readonly status: number | 'closed';
  readonly bytes: number;
}

const PATIENCE_MS = 60_000;
/** Time in ms that the server is given to process a WebSocket's frames. */
const TALK = 150;
/** Maximum size of a response's head in bytes. The head of a redirect contains the target URL. */
const LARGEST_HEAD = 128 * 1024;

/** Returns the environment that makes a server load the probe. */
export function probeEnvironment(socketPath: string): NodeJS.ProcessEnv {
  const probe = pathToFileURL(join(import.meta.dirname, 'probe.ts'));
  return { NODE_OPTIONS: `--import=${probe}`, ATTACK_PROBE: socketPath };
}

type Outcome = Pick<Cost, 'status' | 'bytes'>;

/** Sends a request and reads the answer to its end. Rejects if nothing arrives for `patience` milliseconds. */
export function send(
  origin: string,
  agent: Agent,
  { method, path, headers, body, from }: Omit<Sent, 'frames'>,
  patience = PATIENCE_MS,
): Promise<{ readonly status: number; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const length = body ? { 'content-length': String(body.length) } : {};
    const source = from === undefined ? {} : { localAddress: from };
    const options = { hostname, port, path, method, agent, maxHeaderSize: LARGEST_HEAD, timeout: patience, ...source };
    const request = httpRequest({ ...options, headers: { ...headers, ...length } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('close', () => resolve({ status: response.statusCode ?? 0, bytes }));
    });
    request.on('timeout', () => request.destroy(new Error('nothing came')));
    request.on('error', reject);
    request.end(body);
  });
}

export class Meter {
  readonly #origin: string;
  /** Keeps connections alive, because a client that is still sending may miss a refusal when its connection closes. */
  readonly #agent = new Agent({ keepAlive: true });
  readonly #probe: Socket;
  readonly #lines: Interface;

  private constructor(origin: string, probe: Socket) {
    this.#origin = origin;
    this.#probe = probe;
    this.#lines = createInterface({ input: probe });
  }

  static async of(origin: string, socketPath: string): Promise<Meter> {
    const probe = connect(socketPath);
    await once(probe, 'connect');
    return new Meter(origin, probe);
  }

  async #order(order: string): Promise<unknown> {
    const answer = once(this.#lines, 'line');
    this.#probe.write(`${order}\n`);
    return JSON.parse(String((await answer)[0]));
  }

  /** Sends a request after a garbage collection; returns its cost. */
  async cost(sent: Sent): Promise<Cost> {
    await this.#order('collect');
    await this.#order('begin');
    const outcome = await this.ask(sent);
    return { ...outcome, ...((await this.#order('end')) as Use) };
  }

  ask(sent: Sent): Promise<Outcome> {
    if (sent.frames) return this.#talk(sent, sent.frames);
    return send(this.#origin, this.#agent, sent).catch(() => ({ status: 'closed', bytes: 0 }));
  }

  #talk({ path, headers }: Sent, frames: readonly string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      const socket = new WebSocket(this.#origin.replace('http', 'ws') + path, { headers });
      let bytes = 0;
      let status: Cost['status'] = 'closed';
      const timer = setTimeout(() => socket.terminate(), PATIENCE_MS);
      socket.on('message', (data) => {
        bytes += String(data).length;
      });
      socket.on('unexpected-response', (_, response) => {
        status = response.statusCode ?? 'closed';
        socket.terminate();
      });
      socket.on('error', () => {});
      socket.on('open', () => {
        status = 101;
        for (const frame of frames) socket.send(frame);
        setTimeout(() => socket.close(), TALK);
      });
      socket.on('close', () => {
        clearTimeout(timer);
        resolve({ status, bytes });
      });
    });
  }

  close(): void {
    this.#lines.close();
    this.#probe.destroy();
    this.#agent.destroy();
  }
}
