/** Encrypts second-factor secrets in the database. The server needs them in plain text, so it cannot hash them. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EmbeddedOptions } from '../kernel.ts';
import { derivedKey, seal, unseal } from '../seal.ts';
import { DATABASE_FILE, type Store } from '../sqlite/store.ts';

/** Prefix of encrypted values. Values without it were stored by older releases as plain base32 or JSON. */
const MARK = 'sealed:';

/** @param about the user's id, so that the value is useless in another user's row */
export const sealColumn = (text: string, key: Buffer, about: string): string =>
  MARK + seal(text, key, about).toString('base64');

/** Returns `undefined` if the value was encrypted with another server key. */
export const openColumn = (kept: string, key: Buffer, about: string): string | undefined =>
  unseal(Buffer.from(kept.slice(MARK.length), 'base64'), key, about);

const COLUMNS = [
  ['authenticators', 'secret'],
  ['recovery_codes', 'codes'],
] as const;

export const factorKey = (options: Pick<EmbeddedOptions, 'keys'>): Buffer => derivedKey(options, 'second factors');

function* keptValues(database: DatabaseSync) {
  for (const [table, column] of COLUMNS) {
    for (const { id, kept } of database.prepare(`SELECT user_id AS id, ${column} AS kept FROM ${table}`).all()) {
      yield { table, column, id: id as string, kept: kept as string };
    }
  }
}

function countLost(database: DatabaseSync, key: Buffer): number {
  const sealed = [...keptValues(database)].filter(({ kept }) => kept.startsWith(MARK));
  return new Set(sealed.filter(({ id, kept }) => openColumn(kept, key, id) === undefined).map(({ id }) => id)).size;
}

/** Counts users whose second factors were encrypted with a key other than `secret`. Throws SQLite's errors. */
export function countLostFactors(directory: string, secret: string): number {
  const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true });
  try {
    return countLost(database, factorKey({ keys: [{ secret }] }));
  } finally {
    database.close();
  }
}

/** Encrypts secrets stored as plain text by an older release. Logs how many users' secrets it cannot decrypt. */
export function sealPlainFactors({ database }: Store, key: Buffer, log: EmbeddedOptions['log']): void {
  for (const { table, column, id, kept } of keptValues(database)) {
    if (kept.startsWith(MARK)) continue;
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE user_id = ?`).run(sealColumn(kept, key, id), id);
  }
  const lost = countLost(database, key);
  if (lost === 0) return;
  log?.(
    'warn',
    `The second factors of ${lost} people were encrypted with a different server key and cannot be checked. Restore the previous key, or remove each second factor with PATCH /v1/users/ID/mfa {"mfa":false} and DELETE /v1/users/ID/mfa/authenticators/totp.`,
  );
}
