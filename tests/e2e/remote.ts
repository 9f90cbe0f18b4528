/**
 * The remote Appwrite of a site: a second process that runs the embedded backend with Appwrite's rules on its own
 * port, or a real Appwrite to which that port is forwarded (tests/README.md).
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MailOptions } from 'embedded-appwrite';
import { forkBackend } from 'embedded-appwrite/testing';
import { Client, Databases, Query, Storage, Teams, Users } from 'node-appwrite';
import { provision } from '#backend/provision.ts';
import type { ServerTarget } from '#backend/target.ts';

const BLOG = { databaseId: 'blog', collectionId: 'articles', revisionsId: 'revisions' } as const;
export const BACKEND_IDS = { projectId: 'common-ink', bucketId: 'media', ...BLOG } as const;

/** The real Appwrite to test against: its URL, an API key, and the port to which it sends email. */
export const REAL = process.env.E2E_APPWRITE_ENDPOINT
  ? {
      endpoint: new URL(process.env.E2E_APPWRITE_ENDPOINT),
      apiKey: process.env.E2E_APPWRITE_KEY ?? '',
      mailPort: Number(process.env.E2E_MAIL_PORT) || 0,
    }
  : undefined;
const API_KEY = REAL?.apiKey ?? 'standard_key-of-the-remote-one';

/** Number of open remotes in this process; with a real Appwrite, they share its only project. */
let open = 0;

async function empty({ endpoint, projectId, apiKey }: ServerTarget): Promise<void> {
  const client = new Client().setEndpoint(endpoint).setProject(projectId).setKey(apiKey);
  const [databases, storage] = [new Databases(client), new Storage(client)];
  const [users, teams] = [new Users(client), new Teams(client)];
  for (const { $id } of (await databases.list()).databases) await databases.delete({ databaseId: $id });
  for (const { $id } of (await storage.listBuckets()).buckets) await storage.deleteBucket({ bucketId: $id });
  const queries = [Query.limit(100)];
  for (let all = await teams.list({ queries }); all.teams.length > 0; all = await teams.list({ queries }))
    for (const { $id } of all.teams) await teams.delete({ teamId: $id });
  for (let all = await users.list({ queries }); all.users.length > 0; all = await users.list({ queries }))
    for (const { $id } of all.users) await users.delete({ userId: $id });
}

export class RemoteAppwrite {
  readonly target: ServerTarget;
  readonly #port: number;
  readonly #webOrigins: readonly string[];
  readonly #mail: MailOptions | undefined;
  readonly #directory = mkdtempSync(join(tmpdir(), 'common-ink-remote-'));
  #process: Awaited<ReturnType<typeof forkBackend>> | undefined;
  #forwarding: Server | undefined;
  readonly #sockets = new Set<Socket>();
  #isCounted = false;

  /** @param webOrigins hosts whose pages may call the API, and to which emails may link (no emails without `mail`) */
  constructor(host: string, port: number, webOrigins: readonly string[], mail?: MailOptions) {
    this.#port = port;
    this.#webOrigins = webOrigins;
    this.#mail = mail;
    this.target = { ...BACKEND_IDS, endpoint: `http://${host}:${port}/v1`, apiKey: API_KEY };
  }

  async start(): Promise<void> {
    if (REAL) await this.#forward(REAL.endpoint);
    else await this.#play();
    const isFirst = !this.#isCounted && open++ === 0;
    this.#isCounted = true;
    if (REAL && isFirst) await empty(this.target);
    await provision(this.target);
  }

  /** Forwards connections to the real Appwrite, so that a test can cut them. */
  async #forward({ hostname, port }: URL): Promise<void> {
    const server = createServer((socket) => {
      const other = connect(Number(port) || 80, hostname);
      for (const from of [socket, other]) {
        const to = from === socket ? other : socket;
        this.#sockets.add(from);
        from.on('error', () => to.destroy()).on('close', () => this.#sockets.delete(from));
        from.pipe(to);
      }
    });
    this.#forwarding = server.listen(this.#port);
    await once(server, 'listening');
  }

  async #play(): Promise<void> {
    this.#process = await forkBackend({
      port: this.#port,
      options: {
        directory: this.#directory,
        projectId: BACKEND_IDS.projectId,
        keys: [{ secret: API_KEY }],
        webOrigins: this.#webOrigins,
        mail: this.#mail,
        rateLimits: false,
        // Equals the minimum of a real Appwrite (contract 3).
        passwordMinimum: 8,
      },
    });
  }

  async stop(): Promise<void> {
    this.#forwarding?.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.#process?.stop();
    this.#process = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    if (this.#isCounted) open--;
    this.#isCounted = false;
    rmSync(this.#directory, { recursive: true, force: true });
  }

  environment(access: 'gateway' | 'direct'): NodeJS.ProcessEnv {
    const { endpoint, apiKey } = this.target;
    return { APPWRITE_ENDPOINT: endpoint, APPWRITE_ACCESS: access, APPWRITE_API_KEY: apiKey };
  }
}
