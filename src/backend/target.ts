/** A backend reached with a server key, which bypasses every permission. */
import { Client } from 'node-appwrite';
import type { BackendIds } from './schema.ts';

export interface ServerTarget extends BackendIds {
  /** Absolute URL ending in `/v1`, reachable from this machine. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: string;
}

export const guestClient = ({ endpoint, projectId }: Pick<ServerTarget, 'endpoint' | 'projectId'>): Client =>
  new Client().setEndpoint(endpoint).setProject(projectId);

export const serverClient = (target: ServerTarget): Client => guestClient(target).setKey(target.apiKey);
