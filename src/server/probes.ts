import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isBearerOf } from '#api/callers.ts';
import { CONTENT_TYPE } from './metrics/exposition.ts';

export type BackendState = 'ok' | 'unreachable' | 'not set up' | 'damaged';

export interface Readiness {
  readonly status: 'ready' | 'starting' | 'draining' | 'not ready';
  readonly checks: {
    readonly backend: BackendState;
    /** A server with a full disk counts as ready, because it still serves pages. */
    readonly folder: 'ok' | 'full' | 'not writable';
  };
}

export interface ProbesOptions {
  readonly isDraining: () => boolean;
  readonly isStarted: () => boolean;
  readonly backendState: () => Promise<BackendState>;
  readonly dataDirectory: string;
  readonly hasRoom: () => boolean;
  readonly damage: () => string | undefined;
  readonly metrics: () => Promise<string>;
  readonly metricsToken: string | undefined;
}

/** Time for which checks are cached, so that frequent probes do not burden the backend. */
const CHECK_TTL_MS = 2000;

export type Probes = ReturnType<typeof createProbes>;

export function createProbes(options: ProbesOptions) {
  const { isDraining, isStarted, backendState, dataDirectory, hasRoom, damage, metrics, metricsToken } = options;
  let checked: { readonly at: number; readonly checks: Promise<Readiness['checks']> } | undefined;

  const checks = (): Promise<Readiness['checks']> => {
    if (!checked || performance.now() - checked.at > CHECK_TTL_MS) {
      const found = Promise.all([backendState(), folderState(dataDirectory, hasRoom)]);
      checked = { at: performance.now(), checks: found.then(([backend, folder]) => ({ backend, folder })) };
    }
    return checked.checks;
  };

  async function readiness(): Promise<Readiness> {
    const found = await checks();
    if (isDraining()) return { status: 'draining', checks: found };
    // The description of the damage contains a path, so it is only logged.
    if (damage()) return { status: 'not ready', checks: { ...found, backend: 'damaged' } };
    if (!isStarted()) return { status: 'starting', checks: found };
    const isWell = found.backend === 'ok' && found.folder !== 'not writable';
    return { status: isWell ? 'ready' : 'not ready', checks: found };
  }

  /** Responds to a probe. Returns false for any other request. */
  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const [path] = (request.url ?? '').split('?', 1);
    const answer = ANSWERS[path ?? ''];
    if (!answer) return false;
    // Without a token, remote clients get the site's 404, as if there were no metrics.
    if (answer === 'metrics' && !metricsToken && !isLocal(request)) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      send(response, 405, 'text/plain; charset=utf-8', 'GET or HEAD\n');
    } else if (answer === 'health') send(response, 200, 'text/plain; charset=utf-8', 'ok\n');
    else if (answer === 'readiness') {
      void readiness().then((ready) =>
        send(response, ready.status === 'ready' ? 200 : 503, 'application/json', `${JSON.stringify(ready)}\n`),
      );
    } else if (isLocal(request) || (metricsToken && isBearerOf(metricsToken, request.headers.authorization))) {
      metrics().then(
        (text) => send(response, 200, CONTENT_TYPE, text),
        () => send(response, 500, 'text/plain; charset=utf-8', 'The metrics could not be collected.\n'),
      );
    } else {
      response.setHeader('WWW-Authenticate', 'Bearer');
      send(response, 401, 'text/plain; charset=utf-8', 'Send the token: Authorization: Bearer <METRICS_TOKEN>.\n');
    }
    return true;
  }

  return { handle, isBackendUp: async (): Promise<boolean> => !damage() && (await checks()).backend === 'ok' };
}

const ANSWERS: Readonly<Record<string, 'health' | 'readiness' | 'metrics'>> = {
  '/healthz': 'health',
  '/up': 'health',
  '/readyz': 'readiness',
  '/metrics': 'metrics',
};

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', 'Content-Length': length }).end(body);
}

async function folderState(directory: string, hasRoom: () => boolean): Promise<Readiness['checks']['folder']> {
  if (!hasRoom()) return 'full';
  const probe = join(directory, `.ready-${process.pid}`);
  try {
    await writeFile(probe, '');
    await rm(probe, { force: true });
    return 'ok';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'full' : 'not writable';
  }
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Returns true for a direct request from this machine. Checks the host name too, against DNS rebinding. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}
