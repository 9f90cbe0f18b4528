/** The address of a backend, the credentials for it, and the SDK clients made from them. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { BackendIds } from './schema.ts';

/** A backend reached with a server key, which bypasses every permission. */
export interface ServerTarget extends BackendIds {
  /** Absolute URL ending in `/v1`, reachable from this machine. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: string;
}

/** A backend reached with a user's session, which is subject to permissions and rate limits. */
export interface SessionTarget extends Omit<ServerTarget, 'apiKey'> {
  /** The session's secret. */
  readonly session: string;
}

export const guestClient = ({ endpoint, projectId }: Pick<ServerTarget, 'endpoint' | 'projectId'>): Client =>
  new Client().setEndpoint(endpoint).setProject(projectId);

export const serverClient = (target: ServerTarget): Client => guestClient(target).setKey(target.apiKey);

export const clientFor = (target: ServerTarget | SessionTarget): Client =>
  'session' in target
    ? new PatientClient().setEndpoint(target.endpoint).setProject(target.projectId).setSession(target.session)
    : serverClient(target);

/** Pause before each retry of a refused request, because the contract limits writes per minute. */
const RETRY_MS = 5000;

/** Retries requests that exceed a rate limit until they are accepted. */
class PatientClient extends Client {
  override async call(...request: Parameters<Client['call']>): ReturnType<Client['call']> {
    try {
      return await super.call(...request);
    } catch (error) {
      if (faultOf(error).code !== 429) throw error;
      await wait(RETRY_MS);
      return this.call(...request);
    }
  }
}
