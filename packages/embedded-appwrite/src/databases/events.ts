/** Names and channels of database events (contract 2.6), in Appwrite's order. */

import type { Caller } from '../caller.ts';
import type { BackendEvent, EventBus } from '../events.ts';
import { now } from '../identifiers.ts';
import type { Collection, Database } from './catalogue/model.ts';

/** A kind and an id, e.g. `['collections', 'posts']`. */
type Level = readonly [kind: string, id: string];

/** By depth: `1` keeps a level, `0` replaces it with `*`. */
const WILDCARDS: readonly (readonly string[])[] = [
  [],
  ['1', '0'],
  ['11', '00', '10', '01'],
  ['111', '000', '101', '001', '011', '110', '010', '100'],
];

const MIRRORED: Readonly<Record<string, string>> = {
  collections: 'tables',
  documents: 'rows',
  attributes: 'columns',
};

type Wording = (levels: readonly Level[]) => readonly Level[];

const asWritten: Wording = (levels) => levels;
const inTableWords: Wording = (levels) => levels.map(([kind, id]) => [MIRRORED[kind] ?? kind, id]);
const inTablesDb: Wording = (levels) =>
  levels.map(([kind, id]) => [kind === 'databases' ? 'tablesdb' : (MIRRORED[kind] ?? kind), id]);

function named(levels: readonly Level[], mask: string): string {
  return levels.map(([kind, id], i) => `${kind}.${mask[i] === '1' ? id : '*'}`).join('.');
}

/**
 * Returns every name of an event: the concrete one, its variants with `*`, both without the action, then the same for
 * the levels above. Each is followed by its form with tables and rows, if it differs.
 */
export function eventNames(levels: readonly Level[], action: string, type: Database['type']): string[] {
  const wordings: Wording[] = [asWritten, inTableWords];
  if (type === 'tablesdb') wordings.push(inTablesDb);
  const names = new Set<string>();
  const add = (part: readonly Level[], suffix: string): void => {
    for (const mask of WILDCARDS[part.length] ?? []) {
      for (const wording of wordings) names.add(named(wording(part), mask) + suffix);
    }
  };
  add(levels, `.${action}`);
  for (let depth = levels.length; depth > 0; depth--) add(levels.slice(0, depth), '');
  return [...names];
}

/** Returns the 16 realtime channels of a document's event. */
export function documentChannels(databaseId: string, collectionId: string, id: string, action: string): string[] {
  const collection = `databases.${databaseId}.collections.${collectionId}.documents`;
  const table = `databases.${databaseId}.tables.${collectionId}.rows`;
  const tablesDb = `tablesdb.${databaseId}.tables.${collectionId}.rows`;
  const channels = [
    'documents',
    collection,
    `${collection}.${id}`,
    'rows',
    table,
    `${table}.${id}`,
    tablesDb,
    `${tablesDb}.${id}`,
  ];
  return [...channels, ...channels.map((channel) => `${channel}.${action}`)];
}

const authorOf = (caller: Caller): { userId?: string } => (caller.user ? { userId: caller.user.id } : {});

export interface DocumentEvent {
  readonly collection: Collection;
  readonly id: string;
  readonly action: 'create' | 'update' | 'upsert' | 'delete';
  readonly roles: readonly string[];
  readonly payload: () => Readonly<Record<string, unknown>>;
  readonly changed?: (() => readonly string[]) | undefined;
}

/**
 * A document's event; names and payload are computed on demand. A class, because getters of an object literal give each
 * event its own hidden class, which only a full garbage collection frees.
 */
class EmittedDocument implements BackendEvent {
  readonly channels: readonly string[];
  readonly roles: readonly string[];
  readonly timestamp = now();
  readonly userId?: string;
  readonly #event: DocumentEvent;
  #events: readonly string[] | undefined;
  #payload: BackendEvent['payload'] | undefined;

  constructor(event: DocumentEvent, caller: Caller) {
    const { collection, id, action, roles } = event;
    this.channels = documentChannels(collection.database.id, collection.id, id, action);
    this.roles = roles;
    if (caller.user) this.userId = caller.user.id;
    this.#event = event;
  }

  get events(): readonly string[] {
    this.#events ??= this.#names();
    return this.#events;
  }

  get changed(): BackendEvent['changed'] {
    return this.#event.changed?.();
  }

  get payload(): BackendEvent['payload'] {
    this.#payload ??= this.#event.payload();
    return this.#payload;
  }

  #names(): string[] {
    const { collection, id, action } = this.#event;
    const { database } = collection;
    const levels: Level[] = [
      ['databases', database.id],
      ['collections', collection.id],
      ['documents', id],
    ];
    return eventNames(levels, action, database.type);
  }
}

/** Emits the event of a committed change. Returns the promise that its answer waits for, if any. */
export function emitDocumentEvent(bus: EventBus, caller: Caller, event: DocumentEvent): Promise<unknown> | undefined {
  return bus.emit(new EmittedDocument(event, caller));
}

export type StructureAction = 'create' | 'update' | 'delete';

/** Emits the event of a database, collection, attribute or index. It has no channel: only webhooks receive it. */
export function emitStructureEvent(
  bus: EventBus,
  caller: Caller,
  levels: readonly Level[],
  action: StructureAction,
  type: Database['type'],
  payload: BackendEvent['payload'],
): void {
  const events = eventNames(levels, action, type);
  bus.emit({ events, channels: [], roles: [], payload, timestamp: now(), ...authorOf(caller) });
}

/** Emits the event of a collection, or of the attribute or index in `below`. */
export function emitCollectionEvent(
  bus: EventBus,
  caller: Caller,
  { database, id }: Collection,
  below: readonly Level[],
  action: StructureAction,
  payload: BackendEvent['payload'],
): void {
  const levels: Level[] = [['databases', database.id], ['collections', id], ...below];
  emitStructureEvent(bus, caller, levels, action, database.type, payload);
}
