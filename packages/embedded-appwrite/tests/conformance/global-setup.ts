/** Vitest's global setup: starts or attaches the server under test once per run. */
import type { TestProject } from 'vitest/node';
import type { MailOptions } from '../../src/index.ts';
import { attach } from './attach.ts';
import { Http } from './http.ts';
import { catchMail } from './mail-catcher.ts';
import { addWebPlatform } from './management.ts';
import { EMBEDDED_KEYS, type Server, startEmbedded } from './server.ts';
import { readSettings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    server: Server;
    /** The same project with rate limits enforced; undefined skips the tests of limits. */
    limitsEndpoint: string | undefined;
    embeddedKeys: typeof EMBEDDED_KEYS;
    /** The same project with mail, and the folder of its mails; undefined skips the tests of mail. */
    mail: { readonly endpoint: string; readonly folder: string } | undefined;
    smtp: MailOptions | undefined;
  }
}

const PROJECT_NAME = 'Conformance & Co.';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const settings = readSettings();
  project.provide('embeddedKeys', EMBEDDED_KEYS);
  if (settings.endpoint === undefined) {
    const catcher = await catchMail();
    const { smtp: mail } = catcher;
    const [free, limited, mailing] = await Promise.all([
      startEmbedded(EMBEDDED_KEYS),
      startEmbedded(EMBEDDED_KEYS, { rateLimits: true, mail }),
      startEmbedded(EMBEDDED_KEYS, { mail, projectName: PROJECT_NAME }),
    ]);
    const { endpoint, projectId, key, embedded } = free;
    project.provide('server', { endpoint, projectId, key, embedded });
    project.provide('limitsEndpoint', limited.endpoint);
    project.provide('mail', { endpoint: mailing.endpoint, folder: catcher.folder });
    project.provide('smtp', mail);
    return async () => {
      await Promise.all([free.stop(), limited.stop(), mailing.stop()]);
      await catcher.stop();
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

/** The checklist requires `localhost` among the project's web platforms. */
async function registerLocalhost(server: Server): Promise<() => Promise<void>> {
  const answer = await Http.to(server, { origin: 'http://localhost:5173' }).get('/account');
  if (answer.status !== 403) return async () => {};
  return addWebPlatform(server, 'localhost');
}
