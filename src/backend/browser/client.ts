/** The browser's one SDK client, made at first use from the settings that the page carries. */

import { Account, Client, Databases, Storage } from 'appwrite';
import type { Site } from '#blog/site.ts';

export interface Connection {
  readonly site: Site;
  readonly client: Client;
  readonly account: Account;
  readonly databases: Databases;
  readonly storage: Storage;
}

let connection: Connection | undefined;

/** @throws Error when the page carries no settings: it was not served by this product. */
export function connect(): Connection {
  connection ??= connectTo(siteOf(document), location.origin);
  return connection;
}

/** The site's settings from `<meta name="common-ink">`. */
export function siteOf(page: Document): Site {
  const content = page.querySelector<HTMLMetaElement>('meta[name="common-ink"]')?.content;
  if (!content) throw new Error('This page does not say where its backend is: <meta name="common-ink"> is missing.');
  return JSON.parse(content) as Site;
}

/** A connection to the site's backend; `origin` completes an endpoint that is a path. */
function connectTo(site: Site, origin: string): Connection {
  const endpoint = new URL(site.endpoint, origin).href.replace(/\/$/, '');
  const client = settled(new Client(), endpoint, site.projectId);
  return { site, client, account: new Account(client), databases: new Databases(client), storage: new Storage(client) };
}

/** The bucket for calls that `signal` breaks off: the SDK has no other way to end a request. */
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
  // The oldest server that the product supports; a newer format than the server's own ends in a warning on every call.
  client.headers['X-Appwrite-Response-Format'] = '1.9.5';
  return client;
}

/**
 * The connection for a write that is refused, with 409 `…_update_conflict`, if its document is newer than `moment`, the
 * `$updatedAt` with which it was read.
 */
export function connectAsOf(moment: string): Connection {
  const conditional = connectTo(connect().site, location.origin);
  conditional.client.headers['X-Appwrite-Timestamp'] = moment;
  return conditional;
}

/** Logs a service's failure before it is thrown on (product.md). */
export function logged<T>(service: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    // A call that the user broke off is no failure.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    console.error(`${service}:`, error);
    throw error;
  });
}
