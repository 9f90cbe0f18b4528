import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { listen } from '@common-ink/http/listen.ts';
import type { FastPath } from '#page-store/fast-path.ts';
import { log } from './log/log.ts';

/** Maximum time for running requests to finish. */
const PATIENCE_MS = 10_000;
/** Maximum time for which new connections are still accepted while pages are being rendered. */
const PATIENCE_WHILE_OPEN_MS = 2000;
/** Time for which idle connections stay open, because their clients may already have sent a request. */
const GRACE_MS = 300;
const LOOK_MS = 50;
/** Signals within this time count as one, because npm repeats a terminal's Ctrl-C. */
const SAME_SIGNAL_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const EXIT_CODE = { SIGINT: 130, SIGTERM: 143 } as const;

export interface Shutdown {
  readonly isDraining: boolean;
  /** True once the server refuses new connections. */
  readonly isClosing: boolean;
  /** The backend's port on 127.0.0.1 for renders after the server's own port is closed; undefined until then. */
  readonly backendPort: number | undefined;
  /** Call this with each request. During shutdown, its connection closes after the response. */
  admit(request: IncomingMessage, response: ServerResponse): void;
}

export interface ShutdownOptions {
  readonly server: HttpServer;
  readonly fastPath: FastPath | undefined;
  readonly backend: (request: IncomingMessage, response: ServerResponse) => void;
  readonly idle: () => Promise<void>;
  readonly disconnect: () => void;
  /** Called when no connection is left. */
  readonly close: () => Promise<void>;
}

/** Shuts down on a signal: exits with 0 once all data is written, 1 if that fails, 130 or 143 on a second signal. */
export function shutDownOnSignal({ server, fastPath, backend, idle, disconnect, close }: ShutdownOptions): Shutdown {
  const answers = new Map<ServerResponse, 'page' | 'backend'>();
  const inner = createServer(SERVER_OPTIONS, backend);
  let drainingSince: number | undefined;
  let isClosing = false;
  let backendPort: number | undefined;

  /** Resolves when no request outside `/v1` is waiting. New connections are still accepted, e.g. for `/readyz`. */
  async function pagesAnswered(): Promise<void> {
    const pages = () => [...answers].filter(([, kind]) => kind === 'page').map(([response]) => response);
    for (let waiting = pages(); waiting.length > 0; waiting = pages())
      await Promise.all(waiting.map((response) => once(response, 'close')));
  }

  /**
   * Waits in short steps, so that requests are read between the steps even if a busy machine pauses this process. Also
   * reads requests that arrived during the last step, because closing a connection discards them.
   */
  async function grace(): Promise<void> {
    for (let waited = 0; waited < GRACE_MS; waited += LOOK_MS) await sleep(LOOK_MS, undefined, { ref: false });
    await nextTurn();
  }

  /** Responds to the remaining requests with 503 instead of closing their connections. */
  async function sendAway(): Promise<void> {
    const waiting = [...answers.keys()].filter(({ headersSent }) => !headersSent);
    for (const response of waiting) {
      // Reads the rest of the body, because closing a connection with unread data loses the response.
      response.req.resume();
      response.writeHead(503, { 'Retry-After': '5', 'Cache-Control': 'no-store', 'Content-Length': '0' }).end();
    }
    const sent = Promise.all(waiting.map((response) => response.writableFinished || once(response, 'finish')));
    await Promise.race([sent, sleep(GRACE_MS, undefined, { ref: false })]);
  }

  async function drain(): Promise<void> {
    const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
    const impatience = setTimeout(isEnough, PATIENCE_MS).unref();
    const isIdle = idle();
    await Promise.race([pagesAnswered(), sleep(PATIENCE_WHILE_OPEN_MS, undefined, { ref: false })]);
    await listen(inner, 0, '127.0.0.1');
    backendPort = (inner.address() as AddressInfo).port;
    // `HttpServer.close` would close idle connections immediately.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    isClosing = true;
    fastPath?.drain();
    for (const response of answers.keys()) response.shouldKeepAlive = false;
    disconnect();
    await Promise.race([closed, enough, grace()]);
    fastPath?.close();
    // Closes connections only after reading the requests that have arrived.
    const looking = setInterval(() => setImmediate(() => server.closeIdleConnections()), LOOK_MS);
    server.closeIdleConnections();
    // Waits for `idle` again, because late requests may have started new renders.
    await Promise.race([Promise.all([closed, isIdle]).then(idle), enough]);
    clearInterval(looking);
    clearTimeout(impatience);
    await sendAway();
    server.closeAllConnections();
    fastPath?.closeAll();
    inner.closeAllConnections();
    inner.close();
    await closed;
    await close();
  }

  const onSignal = (signal: (typeof SIGNALS)[number]) => {
    if (drainingSince !== undefined) {
      if (performance.now() - drainingSince > SAME_SIGNAL_MS) process.exit(EXIT_CODE[signal]);
      return;
    }
    drainingSince = performance.now();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'The server could not shut down cleanly.', error);
        process.exit(1);
      },
    );
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);

  return {
    get isDraining() {
      return drainingSince !== undefined;
    },
    get isClosing() {
      return isClosing;
    },
    get backendPort() {
      return backendPort;
    },
    admit({ url = '' }, response) {
      if (isClosing) response.shouldKeepAlive = false;
      answers.set(response, url.startsWith('/v1/') ? 'backend' : 'page');
      response.once('close', () => answers.delete(response));
    },
  };
}
