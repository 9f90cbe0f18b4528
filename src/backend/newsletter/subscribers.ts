/**
 * Stores subscribers in the backend (docs/decisions/030-newsletter.md). A document's id is a hash of the address; the
 * address itself is encrypted with a key derived from the server key.
 */
import { createHash, randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { type Models, Query } from 'node-appwrite';
import { SUBSCRIBER_STATES, type Subscriber, type SubscriberState } from '#blog/newsletter/newsletter.ts';
import { countBeyondLimit, TOTAL_LIMIT } from '../count-beyond-limit.ts';
import { type KeyedBackend, keyedBackend } from '../keyed-backend.ts';
import { derivedKey, seal, unseal } from '../seal.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { pages } from '../walk.ts';

/** A delivery that failed temporarily and will be tried again. */
export interface Retry {
  readonly issue: string;
  /** Unix time in milliseconds of the first attempt. */
  readonly since: number;
}

export interface StoredSubscriber extends Subscriber {
  /** Authenticates the links in this subscriber's emails. */
  readonly secret: string;
  /** Number of consecutive permanent delivery failures. */
  readonly failures: number;
  readonly retries: readonly Retry[];
  readonly updatedAt: string;
}

/** An address to import, and when its owner subscribed. */
export interface Consent {
  readonly address: string;
  /** ISO date (default: now). */
  readonly since?: string;
}

export interface ImportCounts {
  readonly added: number;
  readonly known: number;
  /** Number of addresses that were not added because they had unsubscribed. */
  readonly left: number;
}

type Row = Models.DefaultDocument;

const PAGE = 100;
const ID_LENGTH = 32;
const SECRET_BYTES = 16;

export type SubscriberStore = ReturnType<typeof openSubscribers>;

/** Every method rejects with the SDK's error if the backend fails. */
export function openSubscribers(target: ServerTarget, now: () => number = Date.now) {
  const backend = keyedBackend(target);
  const { databases, subscribers: place } = backend;
  const addresses = addressSeal(target.apiKey);
  const idOf = subscriberId;

  const subscriberOf = (row: Row): StoredSubscriber => ({
    id: row.$id,
    address: addresses.open(row.$id, `${row.address ?? ''}`),
    state: SUBSCRIBER_STATES.find((state) => state === row.state) ?? 'left',
    since: `${row.since}`,
    source: row.source === 'import' || row.source === 'added' ? row.source : 'form',
    secret: `${row.secret ?? ''}`,
    failures: Number(row.failures),
    updatedAt: row.$updatedAt,
    retries: ((row.retries ?? []) as string[]).map((text) => JSON.parse(text)),
  });

  const list = async (queries: string[]): Promise<readonly Row[]> =>
    (await databases.listDocuments({ ...place, queries, total: false })).documents;

  async function find(id: string): Promise<StoredSubscriber | undefined> {
    const row = await unless('document_not_found', databases.getDocument({ ...place, documentId: id }));
    return row && subscriberOf(row);
  }

  const fresh = (address: string, source: Subscriber['source'], since = new Date(now()).toISOString()) => ({
    ...{ address: addresses.seal(idOf(address), address), state: 'active', since, source },
    ...{ secret: randomBytes(SECRET_BYTES).toString('base64url'), failures: 0, retries: [], retryAt: null },
  });

  const update = (id: string, data: object) => databases.updateDocument({ ...place, documentId: id, data });

  async function importPart(part: readonly (readonly [id: string, row: Consent])[]): Promise<ImportCounts> {
    const ids = part.map(([id]) => id);
    const stored = new Map(
      (await list([Query.equal('$id', ids), Query.limit(PAGE)])).map((row) => [row.$id, row.state]),
    );
    const documents = part
      .filter(([id]) => !stored.has(id))
      .map(([id, { address, since }]) => ({ $id: id, $permissions: [], ...fresh(address, 'import', since) }));
    const isAdded = documents.length === 0 || (await unless(409, databases.createDocuments({ ...place, documents })));
    // A concurrent request has added one of these addresses, so the part is imported again.
    if (!isAdded) return importPart(part);
    const left = [...stored.values()].filter((state) => state === 'left').length;
    return { added: documents.length, known: stored.size - left, left };
  }

  return {
    idOf,
    find,

    /** Makes the address active, even if its owner had unsubscribed. */
    async activate(address: string, source: Subscriber['source']): Promise<void> {
      const known = await find(idOf(address));
      // Keeps the secret, so that links in earlier emails still work.
      const data = { ...fresh(address, source), ...(known?.secret && { secret: known.secret }) };
      await databases.upsertDocument({ ...place, documentId: idOf(address), data, permissions: [] });
    },

    /** Deletes the address but keeps its hash, so that a later import does not add it again. */
    async leave(id: string): Promise<void> {
      const since = new Date(now()).toISOString();
      const data = { address: null, state: 'left', since, failures: 0, retries: [], retryAt: null };
      await unless('document_not_found', update(id, data));
    },

    /** Deletes everything about an address. Returns false if nothing was stored. */
    async forget(id: string): Promise<boolean> {
      return (await unless('document_not_found', databases.deleteDocument({ ...place, documentId: id }))) !== undefined;
    },

    /** Stores the outcome of a delivery. @param retryAt Unix time in ms at which the first of `retries` is due */
    async settle(
      id: string,
      change: Partial<Pick<StoredSubscriber, 'failures' | 'retries' | 'state'>>,
      retryAt?: number,
    ): Promise<void> {
      // The subscriber may have unsubscribed while the email was being sent.
      if ((await find(id))?.state !== 'active') return;
      const { retries, ...others } = change;
      const deferred = retries && {
        retries: retries.map((retry) => JSON.stringify(retry)),
        retryAt: retryAt === undefined ? null : new Date(retryAt).toISOString(),
      };
      await unless('document_not_found', update(id, { ...others, ...deferred }));
    },

    /** Returns up to `most` active subscribers with ids after `cursor`, in the order of their ids. */
    async activeAfter(cursor: string, most: number): Promise<readonly StoredSubscriber[]> {
      const after = cursor ? [Query.greaterThan('$id', cursor)] : [];
      const queries = [Query.equal('state', 'active'), ...after, Query.orderAsc('$id'), Query.limit(most)];
      return (await list(queries)).map(subscriberOf);
    },

    /** Returns subscribers with a deferred delivery that is due, and when the next one is due (Unix ms). */
    async retriesDue(): Promise<{ readonly due: readonly StoredSubscriber[]; readonly next: number | undefined }> {
      const [asked, time] = [[Query.orderAsc('retryAt'), Query.limit(PAGE)], new Date(now()).toISOString()];
      const due = await list([Query.equal('state', 'active'), Query.lessThanEqual('retryAt', time), ...asked]);
      const [later] = await list([Query.greaterThan('retryAt', time), Query.orderAsc('retryAt'), Query.limit(1)]);
      return { due: due.map(subscriberOf), next: later && Date.parse(`${later.retryAt}`) };
    },

    /** Yields all subscribers who have not unsubscribed, with ids after `after`, in the order of their ids. */
    async *everyone(after = ''): AsyncGenerator<StoredSubscriber> {
      const asked = [Query.notEqual('state', 'left'), ...(after ? [Query.greaterThan('$id', after)] : [])];
      const rows = pages((queries) => list([...asked, Query.orderAsc('$id'), ...queries]), PAGE);
      for await (const page of rows) for (const row of page) yield subscriberOf(row);
    },

    /** Adds the addresses, except those that are already subscribed or have unsubscribed before. */
    async importAll(rows: readonly Consent[]): Promise<ImportCounts> {
      const wanted = [...new Map(rows.map((row) => [idOf(row.address), row]))];
      const counts = { added: 0, known: rows.length - wanted.length, left: 0 };
      for (let at = 0; at < wanted.length; at += PAGE) {
        const part = await importPart(wanted.slice(at, at + PAGE));
        for (const name of ['added', 'known', 'left'] as const) counts[name] += part[name];
      }
      return counts;
    },

    /** Counts subscribers by state, and the active ones who joined by the end of each of `days` (ISO dates, UTC). */
    async counts(days: readonly string[]) {
      const states = await Promise.all(
        SUBSCRIBER_STATES.map(async (state) => [state, await countOf(backend, [Query.equal('state', state)])] as const),
      );
      const growth = await Promise.all(
        days.map(async (day) => {
          const until = Query.lessThanEqual('since', `${day}T23:59:59.999Z`);
          return { day, active: await countOf(backend, [Query.equal('state', 'active'), until]) };
        }),
      );
      return { counts: Object.fromEntries(states) as Record<SubscriberState, number>, growth };
    },
  };
}

/**
 * Returns the id for an address, ignoring case and the spelling of an internationalised domain. It does not depend on
 * the server key, so that people who unsubscribed stay unsubscribed when the site moves.
 */
export function subscriberId(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@');
  const asked = `common-ink subscriber ${name}@${domainToASCII(domain)}`;
  return createHash('sha256').update(asked).digest('hex').slice(0, ID_LENGTH);
}

export function addressSeal(apiKey: string) {
  const key = derivedKey(apiKey, 'subscriber addresses');
  return {
    seal: (id: string, address: string): string => seal(key, address, id),
    /** Returns an empty string if the address was encrypted under another server key. */
    open: (id: string, text: string): string => (text && unseal(key, text, id)) || '',
  };
}

async function countOf({ databases, subscribers }: KeyedBackend, filter: string[]): Promise<number> {
  const first = databases.listDocuments({ ...subscribers, queries: [...filter, Query.limit(1)] });
  const { total } = (await unless('collection_not_found', first)) ?? { total: 0 };
  if (total < TOTAL_LIMIT) return total;
  return countBeyondLimit(async (cursor, offset, limit) => {
    const after = cursor ? [Query.cursorAfter(cursor)] : [];
    const queries = [...filter, Query.orderAsc('$id'), ...after, Query.limit(limit), Query.offset(offset)];
    return (await databases.listDocuments({ ...subscribers, queries, total: false })).documents;
  });
}
