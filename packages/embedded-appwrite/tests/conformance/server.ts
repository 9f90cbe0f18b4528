/** The server under test: an attached one, or embedded backends started for the run. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import type { EmbeddedOptions } from '../../src/kernel.ts';
import { forkBackend } from '../support/fork-backend.ts';

export interface Server {
  /** Includes `/v1`, without a trailing slash. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly key: string;
  readonly embedded: boolean;
}

export interface StartedServer extends Server {
  /** Stops the process and removes the data. */
  stop(): Promise<void>;
  /** Restarts on the same port with the same data and a clock that is `ahead` seconds fast. */
  restart(ahead?: number): Promise<void>;
}

const freshKey = () => `standard_${randomBytes(32).toString('hex')}`;

/** Keys for embedded backends. An attached server's limited and expired keys are created through its own API. */
export const EMBEDDED_KEYS = { full: freshKey(), limited: freshKey(), expired: freshKey() };
export const LIMITED_SCOPES = ['documents.read'];

/**
 * Starts an embedded backend with the contract's defaults: passwords of at least 8 bytes, anonymous sessions, and
 * `localhost` as the only origin.
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
  const start = { port: await freePort(), options };
  let running = await forkBackend(start).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    endpoint: `http://localhost:${start.port}/v1`,
    projectId: options.projectId,
    key: keys.full,
    embedded: true,
    async stop() {
      await running.stop();
      await remove();
    },
    async restart(ahead = 0) {
      await running.stop();
      running = await forkBackend({ ...start, ahead });
    },
  };
}
