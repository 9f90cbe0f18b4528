/** Creates the browser's SDK client on first use, from the settings in the page. */

import { Account, Client, Databases, Storage } from 'appwrite';
import type { Site } from '#blog/site.ts';
import type { ArticleDocument } from '../document.ts';

export interface Connection {
  readonly site: Site;
  readonly client: Client;
  readonly account: Account;
  readonly databases: Databases;
  readonly storage: Storage;
}

let connection: Connection | undefined;

/** Returns the page's backend connection. @throws Error if the page has no settings, e.g. if another server sent it */
export function connect(): Connection {
  connection ??= connectTo(siteOf(document), location.origin);
  return connection;
}

/** Returns the ids of the posts' database and collection. */
export function collectionIds() {
  const { databaseId, collectionId } = connect().site;
  return { databaseId, collectionId };
}

export type ListedDocument = ArticleDocument & import('appwrite').Models.Document;

export function siteOf(page: Document): Site {
  const content = page.querySelector<HTMLMetaElement>('meta[name="common-ink"]')?.content;
  if (!content) throw new Error('This page does not say where its backend is: <meta name="common-ink"> is missing.');
  return JSON.parse(content) as Site;
}

/**
 * Returns headers that prove the user's identity to this site. They are empty if the backend is on the site's origin,
 * because the browser then sends the session cookie. Otherwise they contain a JWT that is valid for 15 minutes.
 * @throws the SDK's error if the backend issues no JWT
 */
export async function identityHeaders(): Promise<Record<string, string>> {
  const { client, account } = connect();
  if (new URL(client.config.endpoint).origin === location.origin) return {};
  const { jwt } = await account.createJWT();
  return { 'X-Appwrite-JWT': jwt };
}

/** @param origin base URL for an endpoint that is only a path, such as `/v1` */
function connectTo(site: Site, origin: string): Connection {
  const endpoint = new URL(site.endpoint, origin).href.replace(/\/$/, '');
  const client = settled(new Client(), endpoint, site.projectId);
  return { site, client, account: new Account(client), databases: new Databases(client), storage: new Storage(client) };
}

/** Returns a `Storage` whose requests `signal` can abort. The SDK accepts no signal for a single request. */
export function storageWith(signal: AbortSignal | undefined): Storage {
  const { storage, client } = connect();
  if (!signal) return storage;
  const { endpoint, project } = client.config;
  return new Storage(settled(new BreakableClient(signal), endpoint, project));
}

class BreakableClient extends Client {
  readonly #signal: AbortSignal;
  constructor(signal: AbortSignal) {
    super();
    this.#signal = signal;
  }

  override prepareRequest(...request: Parameters<Client['prepareRequest']>) {
    const { uri, options } = super.prepareRequest(...request);
    return { uri, options: { ...options, signal: this.#signal } };
  }
}

function settled(client: Client, endpoint: string, projectId: string): Client {
  client.setEndpoint(endpoint).setProject(projectId);
  // Response format of the oldest supported server. That server would answer a newer format with a warning, which the
  // SDK would log on every call.
  client.headers['X-Appwrite-Response-Format'] = '1.9.5';
  return client;
}

/**
 * Returns a connection for conditional writes: the backend refuses a write with 409 `…_update_conflict` if the document
 * has changed since `moment`, the `$updatedAt` that was read.
 */
export function connectAsOf(moment: string): Connection {
  const conditional = connectTo(connect().site, location.origin);
  conditional.client.headers['X-Appwrite-Timestamp'] = moment;
  return conditional;
}

/** Rethrows any error from `work`, and logs it unless it is an `AbortError`. */
export function logged<T>(service: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    console.error(`${service}:`, error);
    throw error;
  });
}
