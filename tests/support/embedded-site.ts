/** A provisioned embedded backend for one test file, on a loopback port and in a folder that `close` removes. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventListener, MailOptions } from 'embedded-appwrite';
import { startTestBackend } from 'embedded-appwrite/testing';
import { provision } from '../../src/backend/provision.ts';
import type { ServerTarget } from '../../src/backend/target.ts';
import type { Site } from '../../src/blog/site.ts';

export type EmbeddedSite = Awaited<ReturnType<typeof openEmbeddedSite>>;

interface Options {
  readonly provisioned?: boolean;
  /** Folder with existing data (default: a new folder inside `folder`). */
  readonly directory?: string;
  readonly mail?: MailOptions;
  readonly apiKey?: string;
}

const IDS = { databaseId: 'blog', collectionId: 'articles', revisionsId: 'revisions', bucketId: 'media' };
const PROJECT = 'common-ink';
const KEY = 'standard_key-of-the-tests';
const DATABASE = 'backend.sqlite';

const startIn = (directory: string, apiKey: string, mail?: MailOptions) =>
  startTestBackend({
    directory,
    projectId: PROJECT,
    keys: [{ secret: apiKey }],
    webOrigins: ['localhost', '127.0.0.1'],
    mail,
  });

let provisionedDatabase: Promise<Buffer> | undefined;

/** Writes the database of a provisioned backend into a new folder. Provisioning a new one takes ten times as long. */
export async function writeProvisioned(directory: string): Promise<void> {
  provisionedDatabase ??= provisionOnce();
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, DATABASE), await provisionedDatabase);
}

async function provisionOnce(): Promise<Buffer> {
  const backend = await startIn(await mkdtemp(join(tmpdir(), 'common-ink-')), KEY);
  await provision({ ...IDS, endpoint: `${backend.origin}/v1`, projectId: PROJECT, apiKey: KEY });
  await backend.backend.close();
  const database = await readFile(join(backend.directory, DATABASE));
  await backend.stop();
  return database;
}

/** Starts a backend and provisions it unless `provisioned` is false. Without `mail`, the backend sends no email. */
export async function openEmbeddedSite({ provisioned = true, directory: given, mail, apiKey = KEY }: Options = {}) {
  /** A folder for the test's own files, removed by `close`. */
  const folder = await mkdtemp(join(tmpdir(), 'common-ink-'));
  const directory = given ?? join(folder, 'backend');
  if (provisioned && !given) await writeProvisioned(directory);
  const backend = await startIn(directory, apiKey, mail);
  const url = backend.origin;
  /** Includes the server key, which `provision` and `createAdmin` need. */
  const target: ServerTarget = { ...IDS, endpoint: `${url}/v1`, projectId: PROJECT, apiKey };
  if (provisioned && given) await provision(target);
  const address = { url, endpoint: '/v1', projectId: PROJECT };
  const site: Site = { ...IDS, ...address, name: 'Test', tagline: '', language: 'en' };
  return {
    ...{ target, site, folder },
    /** Subscribes to changes, which the backend reports within this process. */
    listen: (listener: EventListener) => void backend.backend.events.listen(listener),
    async close() {
      await backend.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
