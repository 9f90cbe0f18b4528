/** The backend as the people of a site are managed in it: with the server key, past every permission. */

import { Client } from 'node-appwrite';
import type { BackendIds } from '../schema.ts';

export interface PeopleTarget extends BackendIds {
  /** Absolute address ending in `/v1`, as this machine reaches it. */
  readonly endpoint: string;
  readonly projectId: string;
  /** Needs the scopes users, teams, documents, files, collections and buckets, each read and write. */
  readonly apiKey: string;
}

/** A client that is nobody yet. */
export const guestClient = ({ endpoint, projectId }: Pick<PeopleTarget, 'endpoint' | 'projectId'>): Client =>
  new Client().setEndpoint(endpoint).setProject(projectId);

export const serverClient = (target: PeopleTarget): Client => guestClient(target).setKey(target.apiKey);
