import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { freePort } from '@common-ink/http/free-port.ts';
import type { Site } from '#blog/site.ts';
import type { Configuration } from './configuration.ts';

export interface SiteAccess {
  readonly origin: string;
  /** The site as described in the server's pages, with the owner's settings. */
  readonly site: Site;
  readonly isOwn: boolean;
  readonly rebuildToken: string | undefined;
  readonly ended?: Promise<void>;
  close(): Promise<void>;
}

export interface OwnServer {
  readonly entry: string;
  /** Passed on to the server, so that it has the same settings as the command. */
  readonly commandEnvironment: NodeJS.ProcessEnv;
  readonly prepare: () => void;
}

/**
 * Connects to the running server, or starts one.
 * @throws Error if another site responds or the server does not start
 */
export async function reachSite(configuration: Configuration, own: OwnServer): Promise<SiteAccess> {
  const origin = new URL(configuration.ownAddress).origin;
  const running = await siteAt(origin);
  if (!running) return startSite(configuration, own);
  if (JSON.stringify(operatorsOf(running)) !== JSON.stringify(operatorsOf(configuration.site))) {
    throw new Error(
      `The server at ${origin} runs as ${running.url} with different settings from this command. Give both the same SITE_URL and APPWRITE_… variables.`,
    );
  }
  const { rebuildToken } = configuration.publishing;
  return { origin, site: running, isOwn: false, rebuildToken, close: async () => {} };
}

/** Returns the fields of a site that do not depend on the owner's settings. */
function operatorsOf({ url, endpoint, projectId, databaseId, collectionId, revisionsId, bucketId }: Site): unknown {
  return { url, endpoint, projectId, databaseId, collectionId, revisionsId, bucketId };
}

/** Returns the site that responds at `origin`, if any. @throws Error if another program responds */
export async function siteAt(origin: string): Promise<Site | undefined> {
  let text: string;
  try {
    const response = await fetch(`${origin}/404`, { signal: AbortSignal.timeout(30_000) });
    text = await response.text();
  } catch {
    return undefined;
  }
  const [, content] = /<meta name="common-ink" content="([^"]*)"/.exec(text) ?? [];
  if (content === undefined)
    throw new Error(`The program that answers at ${origin} is not Common Ink. Check the address and PORT.`);
  const characters: Readonly<Record<string, string>> = {
    quot: '"',
    amp: '&',
    lt: '<',
    gt: '>',
    '#38': '&',
    '#34': '"',
    '#39': "'",
  };
  return JSON.parse(content.replace(/&(#?\w+);/g, (whole, name: string) => characters[name] ?? whole)) as Site;
}

/** Starts a server on a free port. @throws Error with the server's output if it does not start */
export async function startSite(
  configuration: Pick<Configuration, 'site' | 'siteUrl'>,
  { entry, commandEnvironment, prepare }: OwnServer,
): Promise<SiteAccess> {
  prepare();
  const port = await freePort();
  const rebuildToken = randomBytes(24).toString('hex');
  const environment = {
    NODE_ENV: 'production',
    ...commandEnvironment,
    PORT: `${port}`,
    HOST: '127.0.0.1',
    SITE_URL: configuration.siteUrl,
    REBUILD_TOKEN: rebuildToken,
    PEERS: '',
    LOG_FORMAT: 'text',
    BACKUP_EVERY: '',
  };
  // Passes on the command's own memory settings.
  const settings = process.execArgv.filter((flag) => /^--(?:max-semi-space-size|heap-growing-percent)=/.test(flag));
  const child = spawn(process.execPath, [...settings, entry], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = Promise.withResolvers<void>();
  let isClosing = false;
  child.once('exit', () => !isClosing && gone.resolve());
  const close = async () => {
    isClosing = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  process.once('exit', () => child.kill('SIGTERM'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-4000);
      if (output.includes('is ready')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`The site's server did not start.\n${output.trim()}`)));
  });
  const origin = `http://127.0.0.1:${port}`;
  const site = (await siteAt(origin)) ?? configuration.site;
  return { origin, site, isOwn: true, rebuildToken, ended: gone.promise, close };
}
