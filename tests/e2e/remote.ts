/** A second process that plays a real Appwrite: the embedded backend with an Appwrite's rules, on a port of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvisionTarget, provision } from '#backend/provision.ts';
import type { MailOptions } from '../../src/embedded/index.ts';

const IDS = {
  projectId: 'common-ink',
  databaseId: 'blog',
  collectionId: 'articles',
  revisionsId: 'revisions',
  bucketId: 'media',
} as const;
const API_KEY = 'standard_key-of-the-remote-one';

export class RemoteAppwrite {
  readonly target: ProvisionTarget;
  readonly #port: number;
  readonly #webOrigins: readonly string[];
  readonly #mail: MailOptions | undefined;
  readonly #directory = mkdtempSync(join(tmpdir(), 'common-ink-remote-'));
  #process: ChildProcess | undefined;

  /** @param webOrigins the hosts whose pages it serves, and to which its mails may lead; without `mail` it sends none */
  constructor(host: string, port: number, webOrigins: readonly string[], mail?: MailOptions) {
    this.#port = port;
    this.#webOrigins = webOrigins;
    this.#mail = mail;
    this.target = { ...IDS, endpoint: `http://${host}:${port}/v1`, apiKey: API_KEY };
  }

  async start(): Promise<void> {
    const script = join(import.meta.dirname, '..', 'support', 'remote-appwrite.ts');
    const options = {
      port: this.#port,
      directory: this.#directory,
      apiKey: API_KEY,
      projectId: IDS.projectId,
      webOrigins: this.#webOrigins,
      mail: this.#mail,
    };
    const child = spawn(process.execPath, [script, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process = child;
    await once(child.stdout, 'data');
    await provision(this.target);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** What a site needs in its environment to use it. */
  environment(access: 'gateway' | 'direct'): NodeJS.ProcessEnv {
    return {
      APPWRITE_ENDPOINT: this.target.endpoint,
      APPWRITE_ACCESS: access,
      APPWRITE_API_KEY: this.target.apiKey,
    };
  }
}
