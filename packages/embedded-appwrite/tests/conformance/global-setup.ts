/** Vitest's global setup: starts or attaches the server under test once per run. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { MailOptions } from '../../src/index.ts';
import { startMailServer } from '../support/mail-server.ts';
import { attach } from './attach.ts';
import { Http } from './http.ts';
import { addWebPlatform } from './management.ts';
import { EMBEDDED_KEYS, type Server, startEmbedded } from './server.ts';
import { readSettings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    server: Server;
    /** An endpoint of the same project that enforces rate limits; if undefined, tests of limits are skipped. */
    limitsEndpoint: string | undefined;
    embeddedKeys: typeof EMBEDDED_KEYS;
    /** The same project with mail, and the folder for its emails; if undefined, tests of mail are skipped. */
    mail: { readonly endpoint: string; readonly folder: string } | undefined;
    smtp: MailOptions | undefined;
  }
}

const PROJECT_NAME = 'Conformance & Co.';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const settings = readSettings();
  project.provide('embeddedKeys', EMBEDDED_KEYS);
  if (settings.endpoint === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'common-ink-mailbox-'));
    const mailServer = await startMailServer();
    mailServer.keep = async (raw) => {
      const file = join(folder, `${String(mailServer.received.length).padStart(6, '0')}.eml`);
      await writeFile(`${file}.part`, raw);
      await rename(`${file}.part`, file);
    };
    const { options: mail } = mailServer;
    const [free, limited, mailing] = await Promise.all([
      startEmbedded(EMBEDDED_KEYS),
      startEmbedded(EMBEDDED_KEYS, { rateLimits: true, mail }),
      startEmbedded(EMBEDDED_KEYS, { mail, projectName: PROJECT_NAME }),
    ]);
    const { endpoint, projectId, key, embedded } = free;
    project.provide('server', { endpoint, projectId, key, embedded });
    project.provide('limitsEndpoint', limited.endpoint);
    project.provide('mail', { endpoint: mailing.endpoint, folder });
    project.provide('smtp', mail);
    return async () => {
      await Promise.all([free.stop(), limited.stop(), mailing.stop()]);
      await mailServer.stop();
      await rm(folder, { recursive: true, force: true });
    };
  }
  const { endpoint, mailbox: folder } = settings;
  project.provide('smtp', undefined);
  project.provide('mail', folder === undefined ? undefined : { endpoint, folder });
  project.provide('limitsEndpoint', settings.limitsEndpoint);
  const server = await attach(settings.endpoint, settings);
  project.provide('server', server);
  return registerLocalhost(server);
}

/** Adds the web platform `localhost`, which the checklist requires, if missing. Returns a function that removes it. */
async function registerLocalhost(server: Server): Promise<() => Promise<void>> {
  const answer = await Http.to(server, { origin: 'http://localhost:5173' }).get('/account');
  if (answer.status !== 403) return async () => {};
  return addWebPlatform(server, 'localhost');
}
