/** A server that this one passes requests on to: its address, its connections, and whether it answers. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** Without a byte from it for this long, a request is given up. Milliseconds; previews may take a while. */
const SILENCE = 60_000;
/** A server that does not even take the connection in this time is down. Milliseconds. */
const CONNECT = 10_000;
/** Connections at once. */
const SOCKETS = 256;

export interface Upstream {
  /** The address for a path below the endpoint's; undefined when the path leads out of it. */
  target(path: string): URL | undefined;
  /** Begins a request; the caller ends it. `fresh` takes no kept connection. */
  send(target: URL, options: RequestOptions, fresh?: boolean): ClientRequest;
  /** To be told of each answer and each failure: the first failure in a row is reported, and the recovery. */
  answered(): void;
  failed(error: unknown): void;
  close(): void;
}

/** @param name what reports call it */
export function createUpstream(
  endpoint: URL,
  name: string,
  report: (message: string, error?: unknown) => void,
): Upstream {
  const secure = endpoint.protocol === 'https:';
  const limits = { keepAlive: true, maxSockets: SOCKETS };
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
        const timer = setTimeout(giveUp, CONNECT);
        const stop = () => clearTimeout(timer);
        socket.once('connect', stop).once('close', stop);
      });
      sent.setTimeout(SILENCE, () => sent.destroy(new Error(`${endpoint.origin} did not answer in time.`)));
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
