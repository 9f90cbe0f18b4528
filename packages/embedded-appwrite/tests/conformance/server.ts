/** The server under test: an attached one, or embedded backends started for the run. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import type { EmbeddedOptions } from '../../src/kernel.ts';

export interface Server {
  /** Includes `/v1`, without a trailing slash. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly key: string;
  readonly embedded: boolean;
}

export type EmbeddedStart = {
  readonly port: number;
  readonly options: Omit<EmbeddedOptions, 'log'>;
  /** Seconds by which the server's clock is ahead. */
  readonly ahead?: number;
};
export interface StartedServer extends Server {
  /** Stops the process with the operator's signal; removes the data. */
  stop(): Promise<void>;
  /** Restarts on the same port with the same data, its clock moved to `ahead` seconds. */
  restart(ahead?: number): Promise<void>;
}

const freshKey = () => `standard_${randomBytes(32).toString('hex')}`;

/** Keys for embedded backends; an attached server's are created through its management API. */
export const EMBEDDED_KEYS = { full: freshKey(), limited: freshKey(), expired: freshKey() };
export const LIMITED_SCOPES = ['documents.read'];

/**
 * Starts an embedded backend with the contract's defaults: passwords from 8 bytes, anonymous sessions, `localhost` as
 * the only origin.
 */
export async function startEmbedded(
  keys: typeof EMBEDDED_KEYS,
  choice: Partial<EmbeddedOptions> = {},
): Promise<StartedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'common-ink-conformance-'));
  const options = {
    directory,
    projectId: 'p1',
    keys: [
      { secret: keys.full },
      { secret: keys.limited, scopes: LIMITED_SCOPES },
      { secret: keys.expired, expire: '2020-01-01T00:00:00.000+00:00' },
    ],
    webOrigins: ['localhost'],
    rateLimits: false,
    passwordMinimum: 8,
    anonymous: true,
    ...choice,
  };
  const remove = () => rm(directory, { recursive: true, force: true });
  let running = await run({ port: await freePort(), options }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const { port } = running;
  return {
    endpoint: `http://localhost:${port}/v1`,
    projectId: options.projectId,
    key: keys.full,
    embedded: true,
    async stop() {
      await running.end();
      await remove();
    },
    async restart(ahead = 0) {
      await running.end();
      running = await run({ port, options, ahead });
    },
  };
}

function run(start: EmbeddedStart): Promise<{ port: number; end: () => Promise<void> }> {
  const child = fork(join(import.meta.dirname, 'embedded.ts'), [JSON.stringify(start)], { execArgv: [], env: {} });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    child.once('message', (message: { port: number }) =>
      resolve({
        port: message.port,
        async end() {
          if (child.connected) child.disconnect();
          await ended;
        },
      }),
    );
    void ended.then((code) => reject(new Error(`The embedded backend ended with code ${code} before it listened.`)));
  });
}
