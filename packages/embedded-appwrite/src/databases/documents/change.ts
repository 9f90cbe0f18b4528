/** Changes single documents. Call each function within a write, and emit the event afterwards. */
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { dateText, now } from '../../identifiers.ts';
import { defaultPermissions, requireGrantable, requirePermission } from '../../permissions.ts';
import { ownerOf } from '../../quota/usage.ts';
import { normaliseDate } from '../dates.ts';
import { refuseOperators } from './operators.ts';
import { requireRight } from './rights.ts';
import { type DocumentTable, type StoredDocument, samePermissions, sameValue } from './sqlite/table.ts';
import { type Data, structureFault } from './structure.ts';

export interface Change {
  readonly table: DocumentTable;
  readonly caller: Caller;
  readonly id: string;
  readonly data: Data;
  /** `write` is already expanded. If undefined, a new document gets default permissions, an old one keeps its own. */
  readonly permissions: readonly string[] | undefined;
  /** The date in `X-Appwrite-Timestamp`. If the document was updated later than this, the change fails with 409. */
  readonly unmodifiedSince?: string | undefined;
}

export interface Changed {
  readonly document: StoredDocument;
  readonly former?: StoredDocument;
}

interface SystemDates {
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** An update adds 1 ms to an `$updatedAt` that is less than this many ms ahead of the clock, so dates ascend. */
const SAME_MOMENT = 1000;

/** Returns the system dates in the data; none if the caller has no server key and therefore may not set them. */
function systemDates(data: Data, caller: Caller): SystemDates {
  if (!caller.privileged) return {};
  const read = (key: '$createdAt' | '$updatedAt'): string | undefined => {
    const value = data[key];
    if (value === undefined || value === null) return undefined;
    const date = typeof value === 'string' ? normaliseDate(value) : undefined;
    if (date === undefined) {
      const range = 'between 1000-01-01 00:00:00 and 9999-12-31 23:59:59.';
      throw structureFault(`Attribute "${key}" has invalid type. Value must be valid date ${range}`);
    }
    return date;
  };
  const createdAt = read('$createdAt');
  const updatedAt = read('$updatedAt');
  return { ...(createdAt ? { createdAt } : {}), ...(updatedAt ? { updatedAt } : {}) };
}

function laterThan(date: string): string {
  const moment = Date.now();
  const last = Date.parse(date);
  return dateText(last >= moment && last - moment < SAME_MOMENT ? last + 1 : moment);
}

function unlessTaken<T>({ table, id }: Change, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message?: string };
    const UNIQUE = 2067;
    if (errcode !== UNIQUE) throw error;
    // As in Appwrite before 2.0, a taken id and a taken unique value have the same error type but different messages.
    if (message?.endsWith(` ${table.name}.id`)) throw AppwriteError.about('document_already_exists', id);
    throw new AppwriteError('document_already_exists', 'Document with the same unique value already exists.');
  }
}

function findOr404(change: Change): StoredDocument {
  const document = change.table.find(change.id);
  if (!document) throw AppwriteError.about('document_not_found', change.id);
  return document;
}

function requireUnchanged(document: StoredDocument, { unmodifiedSince }: Change): void {
  if (unmodifiedSince !== undefined && document.updatedAt > unmodifiedSince)
    throw new AppwriteError('document_update_conflict');
}

/**
 * Creates a document. Throws 401 if the caller lacks permission, 400 for invalid data, 409 if the id or a unique value
 * is taken, 413 if the document exceeds the quota.
 */
export function createDocument(change: Change): Changed {
  const { table, caller, id, data } = change;
  if (change.permissions) requireGrantable(caller, change.permissions);
  requirePermission(caller, 'create', table.collection.permissions);
  const permissions = change.permissions ?? defaultPermissions(caller);
  const values = table.structure.whole(data);
  const moment = now();
  const dates = { createdAt: moment, updatedAt: moment, ...systemDates(data, caller) };
  const document = { id, ...dates, permissions, values };
  const owner = ownerOf(caller);
  table.usage.requireRoom(caller, owner, table.bytesOf(document));
  return { document: unlessTaken(change, () => table.insert(document, owner)) };
}

function replaceDocument(change: Change, old: StoredDocument, everyRequired: boolean): Changed {
  const { table, caller, data } = change;
  if (change.permissions) requireGrantable(caller, change.permissions);
  refuseOperators(data);
  const permissions = change.permissions ?? old.permissions;
  const dates = systemDates(data, caller);
  const evaluate = () => table.structure.changed(data, old.values, everyRequired);
  // A caller without permission must not learn whether the change was valid.
  const mayChange = () => requireRight(table.collection, caller, 'update', old.permissions);
  let values: StoredDocument['values'];
  try {
    values = evaluate();
  } catch (error) {
    mayChange();
    throw error;
  }
  const same =
    Object.keys(dates).length === 0 &&
    samePermissions(permissions, old.permissions) &&
    values.every((value, i) => sameValue(value, old.values[i] ?? null));
  if (same) {
    requireRight(table.collection, caller, 'read', old.permissions);
    return { document: old, former: old };
  }
  mayChange();
  requireUnchanged(old, change);
  const document = { ...old, updatedAt: laterThan(old.updatedAt), ...dates, permissions, values };
  // A document counts towards its creator's quota, no matter who changes it.
  const growth = table.growthOf(old, document);
  if (growth > 0) table.usage.requireRoom(caller, table.ownerOf(old), growth);
  unlessTaken(change, () => table.update(old, document, growth));
  return { document, former: old };
}

/**
 * Changes the given attributes. If all of them already have the given values, read permission suffices and `$updatedAt`
 * does not change (contract 2.3).
 */
export function patchDocument(change: Change): Changed {
  return replaceDocument(change, findOr404(change), false);
}

/** Creates the document, or changes the given attributes. Either way, `data` must contain all required attributes. */
export function upsertDocument(change: Change): Changed {
  const old = change.table.find(change.id);
  return old ? replaceDocument(change, old, true) : createDocument(change);
}

export function deleteDocument(change: Change): Changed {
  const document = findOr404(change);
  requireRight(change.table.collection, change.caller, 'delete', document.permissions);
  requireUnchanged(document, change);
  change.table.remove(document);
  return { document };
}
