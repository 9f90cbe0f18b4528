/** How the server ends: nobody who was let in loses an answer, and what is not on disk yet goes there. */
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { listen } from '@common-ink/http/listen.ts';
import type { FastPath } from '#page-store/fast-path.ts';
import { log } from './log/log.ts';

/** Milliseconds that requests under way get. */
const PATIENCE = 10_000;
/** Of these, milliseconds in which connections are still taken while pages are under way. */
const PATIENCE_WHILE_OPEN = 2000;
/** Milliseconds that a connection without a request stays open: one may be on its way. */
const GRACE = 300;
/** Milliseconds between looks at connections. */
const LOOK = 50;
/** Milliseconds in which signals are one: a terminal's Ctrl-C comes from the terminal and, a moment later, from npm. */
const SAME_SIGNAL = 500;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** What a shell says of a program that a signal ended. */
const EXIT_CODE = { SIGINT: 130, SIGTERM: 143 } as const;

export interface Shutdown {
  /** True from the first signal on. */
  readonly isDraining: boolean;
  /** True from when the server takes no further connection. */
  readonly isClosing: boolean;
  /** Where pages that are asked for late reach the backend, on 127.0.0.1: the server's own port is closed by then. */
  readonly backendPort: number | undefined;
  /** Call it with each request: once nobody is let in any more, its connection ends with its answer. */
  admit(request: IncomingMessage, response: ServerResponse): void;
}

export interface ShutdownOptions {
  readonly server: HttpServer;
  readonly fastPath: FastPath | undefined;
  /** Answers what pages ask the backend. */
  readonly backend: (request: IncomingMessage, response: ServerResponse) => void;
  /** Ends when nothing is rendered. */
  readonly idle: () => Promise<void>;
  /** Ends what would keep connections open, such as WebSockets. */
  readonly disconnect: () => void;
  /** Writes out what is in memory and lets the data folder go. Called when no connection is left. */
  readonly close: () => Promise<void>;
}

/**
 * Ends the process on SIGINT or SIGTERM: with 0 once requests under way are answered (10 s at most) and data are written
 * out, at once with 130 or 143 on a second signal, with 1 where data could not be written out.
 */
export function shutDownOnSignal({ server, fastPath, backend, idle, disconnect, close }: ShutdownOptions): Shutdown {
  /** Answers that are not sent yet; those of pages may be waiting for the backend. */
  const answers = new Map<ServerResponse, 'page' | 'backend'>();
  const inner = createServer(SERVER_OPTIONS, backend);
  let drainingSince: number | undefined;
  let isClosing = false;
  let backendPort: number | undefined;

  /** Ends when no page is waiting. Whoever asks whether the server is ready hears until then that it is not. */
  async function pagesAnswered(): Promise<void> {
    const pages = () => [...answers].filter(([, kind]) => kind === 'page').map(([response]) => response);
    for (let waiting = pages(); waiting.length > 0; waiting = pages())
      await Promise.all(waiting.map((response) => once(response, 'close')));
  }

  /** In steps, between which requests are read: a machine that is busy may let this process sleep for longer than all of it. */
  async function grace(): Promise<void> {
    for (let waited = 0; waited < GRACE; waited += LOOK) await sleep(LOOK, undefined, { ref: false });
  }

  /** Whoever still waits hears when to come again, not that the connection is gone. */
  async function sendAway(): Promise<void> {
    const waiting = [...answers.keys()].filter(({ headersSent }) => !headersSent);
    for (const response of waiting) {
      // A connection that is closed with something unread on it takes the answer along.
      response.req.resume();
      response.writeHead(503, { 'Retry-After': '5', 'Cache-Control': 'no-store', 'Content-Length': '0' }).end();
    }
    const sent = Promise.all(waiting.map((response) => response.writableFinished || once(response, 'finish')));
    await Promise.race([sent, sleep(GRACE, undefined, { ref: false })]);
  }

  async function drain(): Promise<void> {
    const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
    const impatience = setTimeout(isEnough, PATIENCE).unref();
    const isIdle = idle();
    await Promise.race([pagesAnswered(), sleep(PATIENCE_WHILE_OPEN, undefined, { ref: false })]);
    await listen(inner, 0, '127.0.0.1');
    backendPort = (inner.address() as AddressInfo).port;
    // Before connections are told to end: whoever comes anew after that could wait for the server when it stops listening.
    // Not `HttpServer.close`, which cuts connections that are idle at this moment.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    isClosing = true;
    fastPath?.drain();
    for (const response of answers.keys()) response.shouldKeepAlive = false;
    disconnect();
    await Promise.race([closed, enough, grace()]);
    fastPath?.close();
    const looking = setInterval(() => server.closeIdleConnections(), LOOK);
    server.closeIdleConnections();
    // Again: pages that were asked for late were rendered since.
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
      if (performance.now() - drainingSince > SAME_SIGNAL) process.exit(EXIT_CODE[signal]);
      return;
    }
    drainingSince = performance.now();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'The server could not end cleanly.', error);
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
