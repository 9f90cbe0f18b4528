import { WebSocket } from 'ws';
import { later, pause } from './cleanup.ts';
import { type Person, server } from './people.ts';
import type { Collection } from './schema.ts';
import type { Server } from './server.ts';

export interface Frame<T = Record<string, unknown>> {
  readonly type: string;
  readonly data: T;
}

export type Happening = Readonly<Record<'events' | 'channels' | 'subscriptions', readonly string[]>> & {
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

export type Fault = { readonly code: number; readonly message: string };
type Subscription = { subscriptionId?: string; channels: readonly string[]; queries?: readonly string[] };

export const channelOf = ({ databaseId, collectionId }: Collection): string =>
  `databases.${databaseId}.collections.${collectionId}.documents`;

const PATIENCE_MS = 120_000;
const QUIET_MS = 300;

export class Socket {
  readonly #socket: WebSocket;
  readonly #frames: Frame[] = [];
  /** Resolves to the close code; 1006 if the socket ended without a close frame. */
  readonly closed: Promise<number>;

  constructor(
    { endpoint, projectId }: Server,
    { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string } = {},
  ) {
    const address = `${endpoint.replace(/^http/, 'ws')}/realtime?project=${projectId}${query}`;
    const socket = new WebSocket(address, { headers });
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.on('message', (text) => this.#frames.push(JSON.parse(String(text)) as Frame));
    later(async () => socket.terminate());
  }

  /** Connects as a guest or, with a cookie, as a user. */
  static async of(caller: Server | Person = server()): Promise<Socket> {
    const socket =
      'cookie' in caller ? new Socket(caller.server, { headers: { cookie: caller.cookie } }) : new Socket(caller);
    await socket.next('connected');
    return socket;
  }

  static async on(channels: readonly string[], caller?: Server | Person, queries?: readonly string[]): Promise<Socket> {
    const socket = await Socket.of(caller);
    await socket.subscribe({ subscriptionId: 's', channels, ...(queries && { queries }) });
    return socket;
  }

  readonly isOpen = () => this.#socket.readyState === WebSocket.OPEN;
  readonly send = (frame: object | string) =>
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));

  async next<T = Record<string, unknown>>(type: string): Promise<Frame<T>> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(5)) {
      while (this.#frames.length > 0) {
        const frame = this.#frames.shift();
        if (frame?.type === type) return frame as Frame<T>;
      }
    }
    throw new Error(`No frame of type ${type} came in ${PATIENCE_MS} ms.`);
  }

  readonly event = async () => (await this.next<Happening>('event')).data;

  async quiet(): Promise<void> {
    await pause(QUIET_MS);
    const event = this.#frames.find(({ type }) => type === 'event') as Frame<Happening> | undefined;
    if (event) throw new Error(`An event came that should not: ${event.data.events[0]}`);
  }

  async ask<T = Record<string, unknown>>(type: string, data: unknown): Promise<T> {
    this.send({ type, data });
    return (await this.next<T>('response')).data;
  }

  async ping(): Promise<void> {
    this.send({ type: 'ping' });
    await this.next('pong');
  }

  async subscribe(...subscriptions: readonly Subscription[]): Promise<void> {
    const asked = subscriptions.map((one) => ({ queries: [], ...one }));
    const { success } = await this.ask<{ success: boolean }>('subscribe', asked);
    if (!success) throw new Error(`Subscribing failed: ${JSON.stringify(subscriptions)}`);
  }
}
