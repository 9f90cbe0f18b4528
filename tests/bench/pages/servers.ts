import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePort } from '@common-ink/http/free-port.ts';
import { RunningSite } from '../../e2e/site.ts';
import { startNginx } from '../../support/nginx.ts';
import type { RecordedResponse } from '../raw-request.ts';

export const PROJECT = 'common-ink';
export const TOKEN = 'token-of-the-bench';
/** Does not depend on the server's port, because the site renders its pages again when its URL changes. */
export const SITE_URL = 'http://127.0.0.1:4321';
export const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start until the server was ready. */
  readonly readyAfter: number;
  stop(): Promise<void>;
}

/** Starts the built site, on `core` or, as in production, on any core. */
export async function startSite(
  directory: string,
  { core, env = {} }: { core?: number | undefined; env?: NodeJS.ProcessEnv } = {},
): Promise<Server> {
  const before = core === undefined ? [] : ['taskset', '-c', `${core}`];
  const environment = { SITE_URL, REBUILD_TOKEN: TOKEN, ...env };
  const site = new RunningSite(await freePort(), directory, { before, environment });
  const begun = performance.now();
  await site.start();
  const readyAfter = performance.now() - begun;
  return { url: site.url, pid: site.pid as number, readyAfter, stop: () => site.stop() };
}

/**
 * Starts nginx on the first core. nginx sends the recorded page from a plain or a gzip file, with the recorded headers,
 * so that its answers are as long as the site's.
 */
export async function servePage(folder: string, answer: RecordedResponse) {
  const place = join(folder, 'nginx');
  await mkdir(join(place, 'www'), { recursive: true });
  await writeFile(join(place, 'www', 'index.html'), gunzipSync(answer.body));
  await writeFile(join(place, 'www', 'index.html.gz'), answer.body);
  const own = /^(content-type|content-length|content-encoding|etag|date|connection|keep-alive|vary)$/i;
  const headers = answer.headers
    .flatMap((name, i) => (i % 2 === 0 && !own.test(name) ? [[name, answer.headers[i + 1] ?? '']] : []))
    .map(([name, value]) => `add_header ${name} '${value?.replaceAll("'", "\\'")}';`)
    .join('\n');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = `keepalive_requests 10000000; open_file_cache max=100; gzip_static on; gzip_vary on;
    types { text/html html; } charset utf-8; sendfile on; tcp_nopush on;
    server { listen 127.0.0.1:${port}; root ${place}/www; ${headers} }`;
  return { url, ...(await startNginx(place, settings, url, 'worker_cpu_affinity 1;')) };
}
