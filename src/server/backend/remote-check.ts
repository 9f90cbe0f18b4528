import { setTimeout as sleep } from 'node:timers/promises';
import { provision } from '#backend/provision.ts';
import { createPublicReader } from '#backend/server.ts';
import { faultOf, isUnreachable } from '#blog/errors.ts';
import type { Configuration } from '../configuration.ts';
import type { BackendState } from '../probes.ts';

const CHECK_TIMEOUT_MS = 10_000;
const PROBE_TIMEOUT_MS = 3000;
const PROBE_STEPS = 10;

/** Returns one sentence for each problem that the operator must fix. Never throws. */
export async function remoteFaults({ appwrite, siteUrl, writers }: Configuration): Promise<string[]> {
  const { serverEndpoint: endpoint, projectId, apiKey, access } = appwrite;
  const late = new Promise<string[]>((resolve) => {
    const sentence = `The Appwrite at ${endpoint} did not answer in ${CHECK_TIMEOUT_MS / 1000} seconds.`;
    setTimeout(resolve, CHECK_TIMEOUT_MS, [sentence]).unref();
  });
  const found = (async () => {
    const unread = await readingFault(appwrite);
    if (unread) return [unread];
    return [
      ...(await keyFault(appwrite)),
      ...(apiKey ? await differences({ ...appwrite, endpoint, apiKey }, writers) : [NO_KEY]),
      ...(access === 'direct' ? await originFault(endpoint, projectId, siteUrl) : []),
    ];
  })();
  return Promise.race([found.catch((error: unknown) => [faultOf(error).message || `${error}`]), late]);
}

const NO_KEY = 'APPWRITE_API_KEY is not set, so pages show no author names and npm run provision does not work.';
const PROVISION = 'Run npm run provision with the same settings.';

/** Returns a function that checks the backend's state. It never throws and takes about three seconds at most. */
export function createBackendProbe({ appwrite }: Pick<Configuration, 'appwrite'>): () => Promise<BackendState> {
  const reader = readerAsGuest(appwrite);
  return () => {
    const read = reader.page(1, 1).then(
      (): BackendState => 'ok',
      (error: unknown): BackendState => (isUnreachable((error as Error).cause) ? 'unreachable' : 'not set up'),
    );
    return Promise.race([read, probeTimeout()]);
  };
}

/** Waits in steps: a pause of this process uses up only one step, so a response that has arrived is still read. */
async function probeTimeout(): Promise<BackendState> {
  for (let n = 0; n < PROBE_STEPS; n++) await sleep(PROBE_TIMEOUT_MS / PROBE_STEPS, undefined, { ref: false });
  return 'unreachable';
}

const readerAsGuest = (appwrite: Configuration['appwrite']) =>
  createPublicReader({ ...appwrite, endpoint: appwrite.serverEndpoint, apiKey: undefined });

async function readingFault(appwrite: Configuration['appwrite']): Promise<string | undefined> {
  const { serverEndpoint: endpoint, projectId } = appwrite;
  try {
    await readerAsGuest(appwrite).page(1, 1);
    return undefined;
  } catch (error) {
    const cause = (error as Error).cause;
    const { type, message } = faultOf(cause);
    if (isUnreachable(cause)) return `The Appwrite at ${endpoint} cannot be reached. Check APPWRITE_ENDPOINT.`;
    if (type === 'project_not_found') {
      return `The Appwrite at ${endpoint} has no project ${projectId}. Set APPWRITE_PROJECT_ID.`;
    }
    return `The Appwrite at ${endpoint} is not set up for this site (${message.replace(/\.$/, '')}). ${PROVISION}`;
  }
}

export const keyRefused = (endpoint: string, message: string): string =>
  `The Appwrite at ${endpoint} refuses APPWRITE_API_KEY (${message.replace(/\.$/, '')}), so pages show no author names and are not stored. Create a server key with users.read and set it here.`;

async function keyFault(appwrite: Configuration['appwrite']): Promise<string[]> {
  const { serverEndpoint: endpoint } = appwrite;
  const refusals: string[] = [];
  const reader = createPublicReader({ ...appwrite, endpoint, onKeyRefused: (message) => refusals.push(message) });
  await reader.authorName('nobody').catch(() => undefined);
  return refusals.map((message) => keyRefused(endpoint, message));
}

async function differences(
  target: Parameters<typeof provision>[0],
  writers: Configuration['writers'],
): Promise<string[]> {
  try {
    const changes = await provision(target, { check: true, writers });
    if (changes.length === 0) return [];
    const things = changes.map((change) => change.split(':')[0]).join(', ');
    return [`The Appwrite at ${target.endpoint} differs from what this site needs (${things}). ${PROVISION}`];
  } catch {
    // The schema cannot be checked with a key that may only read authors' names.
    return [];
  }
}

async function originFault(endpoint: string, projectId: string, siteUrl: string): Promise<string[]> {
  const { origin, hostname } = new URL(siteUrl);
  const response = await fetch(`${endpoint}/account`, { headers: { origin, 'x-appwrite-project': projectId } });
  const { type } = faultOf(await response.json());
  if (type !== 'general_unknown_origin') return [];
  return [
    `The Appwrite at ${endpoint} refuses browsers from ${origin}. Add ${hostname} to its project as a Web platform.`,
  ];
}
