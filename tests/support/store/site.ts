/** A small site for tests: pages in a table, rendered on demand, behind a real server with a real page store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '@common-ink/http/listen.ts';
import { cacheDirectiveHeaders } from '#page-store/cache-directives.ts';
import { createPageHandler } from '#page-store/page-handler.ts';
import { PageStore, type PageStoreOptions } from '#page-store/page-store.ts';
import { send } from '../gateway.ts';

export interface ScriptedPage {
  readonly html?: string;
  readonly status?: number;
  readonly tags?: readonly string[];
  readonly maxAge?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type TestSite = Awaited<ReturnType<typeof startSite>>;

export const YEAR = 31_536_000;

/** Makes `server` reachable for readers, for example through a proxy. */
export type ReachServer = (
  server: Server,
  store: PageStore,
) => Promise<{ readonly origin: string; readonly close: () => Promise<void> }>;

export async function startSite(options: Partial<PageStoreOptions> = {}, reachServer: ReachServer = listenOn) {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'pages-'));
  /** Pages by path. A change takes effect when the page is next rendered. */
  const pages = new Map<string, ScriptedPage>();
  /** Rendered paths, in the order in which rendering began. */
  const renders: string[] = [];
  /** The store's log messages, as `level message`. */
  const logged: string[] = [];
  type Gate = ((path: string) => unknown) | undefined;
  /** Functions that each render awaits before it reads `pages` (`before`) and before it answers (`after`). */
  const gate: { before?: Gate; after?: Gate } = {};
  const agent = new Agent({ keepAlive: true, maxSockets: 2000 });

  const render = async (path: string): Promise<Response> => {
    renders.push(path);
    await gate.before?.(path);
    const response = responseOf(pages.get(path));
    await gate.after?.(path);
    return response;
  };
  const open = (more: Partial<PageStoreOptions> = {}) =>
    new PageStore({
      directory,
      render,
      maximumBytes: 64 * 1024 * 1024,
      memoryBytes: 16 * 1024 * 1024,
      // On a busy machine, renders would exceed the default limits and fail, and readers would get outdated pages.
      renderTimeout: 600_000,
      idleTimeout: 600_000,
      log: (level, message) => logged.push(`${level} ${message}`),
      ...options,
      ...more,
    });

  let store = open();
  let requests = 0;
  // A busy machine may take longer than the default of five seconds to reuse a connection.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    requests++;
    const refuse = (refused: typeof response, status: number) => refused.writeHead(status).end();
    const redirects = { targetOf: async () => undefined, targetOfQuery: async () => undefined };
    const handlePage = createPageHandler({ store, redirects, refuse });
    if (!handlePage(request, response)) response.writeHead(404).end();
  });
  const { origin, close } = await reachServer(server, store);

  return {
    get store() {
      return store;
    },
    get requests() {
      return requests;
    },
    ...{ directory, origin, pages, renders, logged, gate },
    /** Sends the path unchanged, dots included. */
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      send(origin, { agent, headers, method }, path),
    /** Closes the store with `left` as the state to record, and opens it again in the same folder. */
    async restart(more?: Partial<PageStoreOptions>, left?: string) {
      await store.close(left);
      store = open(more);
    },
    async close() {
      agent.destroy();
      await close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store.close();
      if (!options.directory) rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function listenOn(server: Server): ReturnType<ReachServer> {
  await listen(server, 0, '127.0.0.1');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: async () => undefined };
}

function responseOf(page: ScriptedPage | undefined): Response {
  if (!page) return new Response('<h1>404</h1>', { status: 404, headers: { 'content-type': 'text/html' } });
  const { html = '', status = 200, tags = [], maxAge = status === 200 ? YEAR : 0, headers = {} } = page;
  const all = new Headers({ 'content-type': 'text/html; charset=utf-8', ...headers });
  for (const [name, value] of cacheDirectiveHeaders({ tags, ...(maxAge > 0 && { maxAge }) })) all.set(name, value);
  return new Response(html, { status, headers: all });
}

export function gateway(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Holds renders before they answer. `begun` resolves when the first one waits; `release` lets all of them continue. */
export function holdRenders({ gate }: TestSite): { readonly begun: Promise<void>; release(): void } {
  const [begun, door] = [gateway(), gateway()];
  gate.after = () => {
    begun.open();
    return door.opened;
  };
  return { begun: begun.opened, release: door.open };
}

export function failRenders({ gate }: TestSite): void {
  gate.before = () => {
    throw new Error('no backend');
  };
}
