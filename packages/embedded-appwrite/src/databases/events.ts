/** Names and channels of database events (contract 2.6), in Appwrite's order. */

import type { Caller } from '../caller.ts';
import type { EventLevel } from '../event-names.ts';
import type { BackendEvent } from '../events.ts';
import { now } from '../identifiers.ts';
import type { Collection, Database } from './catalogue/model.ts';

/** Masks for the variants of an event name, by number of levels: `1` keeps a level's id, `0` replaces it with `*`. */
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
const IN_TABLESDB = { ...MIRRORED, databases: 'tablesdb' };

function named(levels: readonly EventLevel[], mask: string, words: Readonly<Record<string, string>>): string {
  return levels.map(([kind, id], i) => `${words[kind] ?? kind}.${mask[i] === '1' ? id : '*'}`).join('.');
}

/**
 * Returns the full name, its variants with `*`, the same names without the action, then the names of the levels above,
 * also without the action.
 */
export function eventNames(levels: readonly EventLevel[], action: string, type: Database['type']): string[] {
  const wordings: readonly Readonly<Record<string, string>>[] =
    type === 'tablesdb' ? [{}, MIRRORED, IN_TABLESDB] : [{}, MIRRORED];
  const names = new Set<string>();
  const add = (part: readonly EventLevel[], suffix: string): void => {
    for (const mask of WILDCARDS[part.length] ?? []) {
      for (const words of wordings) names.add(named(part, mask, words) + suffix);
    }
  };
  add(levels, `.${action}`);
  for (let depth = levels.length; depth > 0; depth--) add(levels.slice(0, depth), '');
  return [...names];
}

function documentChannels(databaseId: string, collectionId: string, id: string, action: string): string[] {
  const collection = `databases.${databaseId}.collections.${collectionId}.documents`;
  const table = `databases.${databaseId}.tables.${collectionId}.rows`;
  const tablesDb = `tablesdb.${databaseId}.tables.${collectionId}.rows`;
  const channels = [
    ...['documents', collection, `${collection}.${id}`],
    ...['rows', table, `${table}.${id}`, tablesDb, `${tablesDb}.${id}`],
  ];
  return [...channels, ...channels.map((channel) => `${channel}.${action}`)];
}

export interface DocumentEvent {
  readonly collection: Collection;
  readonly id: string;
  readonly action: 'create' | 'update' | 'upsert' | 'delete';
  readonly roles: readonly string[];
  readonly payload: () => Readonly<Record<string, unknown>>;
  readonly changed?: (() => readonly string[]) | undefined;
}

/** A class: V8 gives each object from a literal with getters its own hidden class, which only a full GC frees. */
export class EmittedDocument implements BackendEvent {
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
    const above = [['databases', database.id] as const, ['collections', collection.id] as const];
    return eventNames([...above, ['documents', id]], action, database.type);
  }
}
