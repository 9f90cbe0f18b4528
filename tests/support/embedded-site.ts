/** A provisioned embedded backend for one test file, on a loopback port and in a folder that `close` removes. */
import { mkdtemp, rm } from 'node:fs/promises';
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

/** `provisioned: false` leaves the project as it is; without `mail`, the backend sends no mail. */
export async function openEmbeddedSite({
  provisioned = true,
  directory,
  mail,
  apiKey = 'standard_key-of-the-tests',
}: Options = {}) {
  /** A folder for the test's own files, removed by `close`. */
  const folder = await mkdtemp(join(tmpdir(), 'common-ink-'));
  const projectId = 'common-ink';
  const backend = await startTestBackend({
    directory: directory ?? join(folder, 'backend'),
    projectId,
    keys: [{ secret: apiKey }],
    webOrigins: ['localhost', '127.0.0.1'],
    mail,
  });
  const url = backend.origin;
  const ids = { databaseId: 'blog', collectionId: 'articles', revisionsId: 'revisions', bucketId: 'media' };
  /** Carries the server key, for `provision` and `createAdmin`. */
  const target: ServerTarget = { ...ids, endpoint: `${url}/v1`, projectId, apiKey };
  if (provisioned) await provision(target);
  const address = { url, endpoint: '/v1', projectId };
  const site: Site = { ...ids, ...address, name: 'Test', tagline: '', language: 'en' };
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
