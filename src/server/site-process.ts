/** The site's server for commands that need its pages: the one that runs, else one of its own for as long as it takes. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { freePort } from '@common-ink/http/free-port.ts';
import type { Site } from '#blog/site.ts';
import type { Configuration } from './configuration.ts';

export interface SiteAccess {
  /** Where it answers, without a slash at the end. */
  readonly origin: string;
  readonly isOwn: boolean;
  /** The operator's token there. */
  readonly rebuildToken: string | undefined;
  /** Of a server of one's own: resolves when it is gone without having been asked. */
  readonly ended?: Promise<void>;
  close(): Promise<void>;
}

/** How to start one. */
export interface OwnServer {
  /** The built server. */
  readonly entry: string;
  /** It reads the same variables as the command. */
  readonly commandEnvironment: NodeJS.ProcessEnv;
  /** Called before: builds it where that is needed. */
  readonly prepare: () => void;
}

/**
 * Finds the configured site's server, or starts one on a loopback port.
 * @throws Error with a sentence when another site answers there, or the server does not start.
 */
export async function reachSite(configuration: Configuration, own: OwnServer): Promise<SiteAccess> {
  const origin = new URL(configuration.ownAddress).origin;
  const running = await siteAt(origin);
  if (!running) return startSite(configuration, own);
  if (JSON.stringify(running) !== JSON.stringify(configuration.site)) {
    throw new Error(
      `The server at ${origin} runs as ${running.url} with other settings than this command. Give both the same SITE_URL, SITE_NAME and APPWRITE_… variables.`,
    );
  }
  return { origin, isOwn: false, rebuildToken: configuration.publishing.rebuildToken, close: async () => {} };
}

/** The settings that the pages at `origin` carry; undefined where nothing answers. @throws Error for another program. */
export async function siteAt(origin: string): Promise<Site | undefined> {
  let text: string;
  try {
    const response = await fetch(`${origin}/404`, { signal: AbortSignal.timeout(5000) });
    text = await response.text();
  } catch {
    return undefined;
  }
  const [, content] = /<meta name="common-ink" content="([^"]*)"/.exec(text) ?? [];
  if (content === undefined)
    throw new Error(`What answers at ${origin} is not this site. Set PORT to the site's port.`);
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

/**
 * Starts a server of one's own on a loopback port, with the data folder that `commandEnvironment` names.
 * @throws Error with what it said when it does not start.
 */
export async function startSite(
  configuration: Pick<Configuration, 'siteUrl'>,
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
  // With the memory settings that the command itself was given.
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
  // Should this command end without a word, so does the server.
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
  return { origin: `http://127.0.0.1:${port}`, isOwn: true, rebuildToken, ended: gone.promise, close };
}
