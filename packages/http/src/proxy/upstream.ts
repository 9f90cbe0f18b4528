import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** Milliseconds of silence after which a request is aborted. Long, because rendering a preview may take a while. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 10_000;
const MAX_SOCKETS = 256;

export interface Upstream {
  /** Returns the URL for a path below the endpoint; undefined for any other path. */
  target(path: string): URL | undefined;
  /** Begins a request; the caller ends it. `fresh` uses a new connection. */
  send(target: URL, options: RequestOptions, fresh?: boolean): ClientRequest;
  /** Call `answered` or `failed` for each outcome. They report the first of consecutive failures, and the recovery. */
  answered(): void;
  failed(error: unknown): void;
  close(): void;
}

export function createUpstream(
  endpoint: URL,
  name: string,
  report: (message: string, error?: unknown) => void,
): Upstream {
  const secure = endpoint.protocol === 'https:';
  const limits = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const agent = secure ? new HttpsAgent(limits) : new HttpAgent(limits);
  const request = secure ? httpsRequest : httpRequest;
  let down = false;

  return {
    target(path) {
      const url = URL.parse(endpoint.pathname + path, endpoint.origin);
      return url?.origin === endpoint.origin && url.pathname.startsWith(`${endpoint.pathname}/`) ? url : undefined;
    },

    send(target, options, fresh = false) {
      const sent = request(target, { ...options, agent: fresh ? false : agent });
      sent.on('socket', (socket) => {
        if (!socket.connecting) return;
        const giveUp = () => sent.destroy(new Error(`${endpoint.origin} did not take the connection.`));
        const timer = setTimeout(giveUp, CONNECT_MS);
        const stop = () => clearTimeout(timer);
        socket.once('connect', stop).once('close', stop);
      });
      sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error(`${endpoint.origin} did not answer in time.`)));
      return sent;
    },

    answered() {
      if (down) report(`${name} at ${endpoint.origin} answers again.`);
      down = false;
    },

    failed(error) {
      if (!down) report(`${name} at ${endpoint.origin} cannot be reached.`, error);
      down = true;
    },

    close: () => agent.destroy(),
  };
}
