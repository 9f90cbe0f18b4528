/** What keeps a real Appwrite from serving this site, said at start: the site itself starts all the same. */
import { provision } from '#backend/provision.ts';
import { createPublicReader } from '#backend/server.ts';
import { faultOf, isUnreachable } from '#blog/errors.ts';
import type { Configuration } from './configuration.ts';

/** How long the start waits for the remote. Milliseconds. */
const PATIENCE = 10_000;

/** One sentence for each thing that the operator should do; none when all is well. Never throws. */
export async function remoteFaults({ appwrite, siteUrl, writers }: Configuration): Promise<string[]> {
  const { serverEndpoint: endpoint, projectId, apiKey, access } = appwrite;
  const late = new Promise<string[]>((resolve) => {
    const sentence = `The Appwrite at ${endpoint} did not answer in ${PATIENCE / 1000} seconds.`;
    setTimeout(resolve, PATIENCE, [sentence]).unref();
  });
  const found = (async () => {
    const unread = await readingFault(appwrite);
    if (unread) return [unread];
    return [
      ...(apiKey ? await differences({ ...appwrite, endpoint, apiKey }, writers) : [NO_KEY]),
      ...(access === 'direct' ? await originFault(endpoint, projectId, siteUrl) : []),
    ];
  })();
  return Promise.race([found.catch((error: unknown) => [faultOf(error).message || `${error}`]), late]);
}

const NO_KEY = 'APPWRITE_API_KEY is not set: pages show no authors’ names, and npm run provision cannot be used.';
const PROVISION = 'Run npm run provision with the same settings.';

/** Reads a page as guests do. */
async function readingFault(appwrite: Configuration['appwrite']): Promise<string | undefined> {
  const { serverEndpoint: endpoint, projectId } = appwrite;
  try {
    await createPublicReader({ ...appwrite, endpoint, apiKey: undefined }).page(1, 1);
    return undefined;
  } catch (error) {
    const cause = (error as Error).cause;
    const { type, message } = faultOf(cause);
    if (isUnreachable(cause)) return `The Appwrite at ${endpoint} cannot be reached: is APPWRITE_ENDPOINT right?`;
    if (type === 'project_not_found') {
      return `The Appwrite at ${endpoint} has no project ${projectId}. Set APPWRITE_PROJECT_ID.`;
    }
    return `The Appwrite at ${endpoint} is not set up for this site (${message.replace(/\.$/, '')}). ${PROVISION}`;
  }
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
    // A key for names alone may not look at the schema, and need not.
    return [];
  }
}

/** Asks as a browser on the site would. */
async function originFault(endpoint: string, projectId: string, siteUrl: string): Promise<string[]> {
  const { origin, hostname } = new URL(siteUrl);
  const response = await fetch(`${endpoint}/account`, { headers: { origin, 'x-appwrite-project': projectId } });
  const { type } = faultOf(await response.json());
  if (type !== 'general_unknown_origin') return [];
  return [
    `The Appwrite at ${endpoint} refuses browsers of ${origin}. Add ${hostname} to its project as a Web platform.`,
  ];
}
