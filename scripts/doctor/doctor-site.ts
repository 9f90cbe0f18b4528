import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countLostFactors, currentHolder, lossOf, MIGRATIONS, mailFault } from 'embedded-appwrite';
import { checkCopy } from 'embedded-appwrite/backup';
import { openPasskeyStore } from '#backend/passkeys/stored-passkeys.ts';
import { provision } from '#backend/provision.ts';
import { readEveryContent } from '#backend/server-key/every-content.ts';
import { openSettingsStore } from '#backend/settings/stored-settings.ts';
import { settingsIn } from '#blog/site-settings/settings.ts';
import { BACKEND, SERVER_KEY } from '#operations/backup/write-backup.ts';
import type { DoctorSite, DoctorTools } from '#operations/doctor/site.ts';
import { readStoredPaths } from '#page-store/repository/page-repository.ts';
import { tracesOfData } from '#server/backend/own-database.ts';
import { remoteFaults } from '#server/backend/remote-check.ts';
import type { Configuration } from '#server/configuration.ts';
import { VARIABLES } from '#server/settings.ts';
import { siteAt } from '#server/site-process.ts';
import { buildIsStale } from '../build-stamp.ts';

/** Returns true if the server on the configured port uses this data and does not serve another site or a copy. */
async function isOwnServer(
  { appwrite, ownAddress, siteUrl }: Configuration,
  holder: DoctorTools['holder'],
  apiKey: () => string | undefined,
): Promise<boolean> {
  try {
    if (holder() === undefined || (await siteAt(ownAddress))?.url !== siteUrl) return false;
    const key = appwrite.endpoint ? undefined : apiKey();
    if (key === undefined) return true;
    const headers = { 'x-appwrite-project': appwrite.projectId, 'x-appwrite-key': key };
    const response = await fetch(`${ownAddress}/v1/health`, { headers, signal: AbortSignal.timeout(30_000) });
    return response.status !== 401;
  } catch {
    return false;
  }
}

/** Returns the site's settings and the tools that examine and repair the site. Changes nothing itself. */
export async function doctorSite(configuration: Configuration, environment: NodeJS.ProcessEnv): Promise<DoctorSite> {
  const { appwrite, dataDirectory, publishing } = configuration;
  const folder = join(dataDirectory, BACKEND);
  const keyFile = join(dataDirectory, SERVER_KEY);
  // Reads the key file itself, because `appwrite.apiKey` would create a missing key.
  const keyOf = () => environment.APPWRITE_API_KEY || readFileSync(keyFile, 'utf8').trim();
  const keyIfAny = () => (environment.APPWRITE_API_KEY || existsSync(keyFile) ? keyOf() : undefined);
  const target = () => {
    const apiKey = keyOf();
    const { serverEndpoint: endpoint, projectId, databaseId, collectionId, revisionsId, bucketId } = appwrite;
    return { endpoint, apiKey, projectId, databaseId, collectionId, revisionsId, bucketId };
  };
  let content: ReturnType<DoctorTools['content']> | undefined;
  const tools: DoctorTools = {
    holder: () => currentHolder(appwrite.endpoint ? publishing.directory : folder),
    loss: () => (appwrite.endpoint ? undefined : lossOf(folder, tracesOfData(dataDirectory))),
    data: async () => ({ ...(await checkCopy(folder)), known: MIGRATIONS.at(-1)?.version ?? 0 }),
    hasKey: () => keyIfAny() !== undefined,
    lostFactors: () => countLostFactors(folder, keyOf()),
    remoteFaults: () => remoteFaults(configuration),
    differences: () => provision(target(), { check: true, writers: configuration.writers }),
    provision: () => provision(target(), { writers: configuration.writers }),
    content: () => {
      content ??= readEveryContent(target());
      return content;
    },
    unusableSettings: async () => {
      const [current] = await openSettingsStore(target()).versions(1);
      return settingsIn(current?.text ?? '').faults;
    },
    peopleOfOtherHosts: async (host) => (await openPasskeyStore(target()).peopleOfOtherHosts(host)).size,
    storedPages: () => readStoredPaths(publishing.directory),
    siteAt: async (origin) => (await siteAt(origin))?.url,
    mailFault: async () => configuration.embedded.mail && mailFault(configuration.embedded.mail),
    isBuildStale: buildIsStale,
  };
  return {
    settings: configuration,
    tools,
    variables: Object.keys(environment).filter((name) => environment[name] !== ''),
    knownVariables: VARIABLES,
    isRunning: await isOwnServer(configuration, tools.holder, keyIfAny),
    now: Date.now(),
  };
}
