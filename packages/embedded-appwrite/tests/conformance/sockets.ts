import { WebSocket } from 'ws';
import { later } from './cleanup.ts';
import type { Server } from './server.ts';

export interface Frame<T = Record<string, unknown>> {
  readonly type: string;
  readonly data: T;
}

/** Payload of an `event` frame. */
export interface Happening {
  readonly events: readonly string[];
  readonly channels: readonly string[];
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly subscriptions: readonly string[];
}

export interface Subscription {
  readonly subscriptionId?: string;
  readonly channels: readonly string[];
  readonly queries?: readonly string[];
}

/** Milliseconds to wait for a frame, and for one that must not arrive. */
const PATIENCE = 20_000;
const QUIET = 300;

export class Socket {
  readonly #socket: WebSocket;
  readonly #frames: Frame[] = [];
  #arrived: () => void = () => {};
  /** Resolves to the close code; 1006 if the socket ended without a close frame. */
  readonly closed: Promise<number>;

  /** Connects; `project` defaults to the server's, '' sends none. */
  constructor(
    server: Server,
    {
      project = server.projectId,
      headers = {},
      query = '',
    }: { project?: string; headers?: Record<string, string>; query?: string } = {},
  ) {
    const address = `${server.endpoint.replace(/^http/, 'ws')}/realtime?${project && `project=${project}`}${query}`;
    const socket = new WebSocket(address, { headers });
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.on('message', (text) => {
      this.#frames.push(JSON.parse(String(text)) as Frame);
      this.#arrived();
    });
    later(async () => socket.terminate());
  }

  static async connected(server: Server, headers: Record<string, string> = {}): Promise<Socket> {
    const socket = new Socket(server, { headers });
    await socket.next('connected');
    return socket;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(frame: object | string): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Returns the next frame of this type; skips frames of other types. */
  async next<T = Record<string, unknown>>(type: string): Promise<Frame<T>> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      while (this.#frames.length > 0) {
        const frame = this.#frames.shift();
        if (frame?.type === type) return frame as Frame<T>;
      }
      const left = end - Date.now();
      if (left <= 0) throw new Error(`No frame of type ${type} came in ${PATIENCE} ms.`);
      await this.#frameOr(left);
    }
  }

  async event(): Promise<Happening> {
    return (await this.next<Happening>('event')).data;
  }

  /** Fails if an event arrives within `QUIET`. */
  async quiet(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, QUIET));
    const event = this.#frames.find(({ type }) => type === 'event') as Frame<Happening> | undefined;
    if (event) throw new Error(`An event came that should not: ${event.data.events[0]}`);
  }

  /** Sends a frame; returns the answer. */
  async ask<T = Record<string, unknown>>(type: string, data: unknown): Promise<T> {
    this.send({ type, data });
    return (await this.next<T>('response')).data;
  }

  async subscribe(...subscriptions: readonly Subscription[]): Promise<void> {
    const asked = subscriptions.map((one) => ({ queries: [], ...one }));
    const { success } = await this.ask<{ success: boolean }>('subscribe', asked);
    if (!success) throw new Error(`Subscribing failed: ${JSON.stringify(subscriptions)}`);
  }

  #frameOr(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#arrived = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
