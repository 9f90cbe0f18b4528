/** Seals second-factor secrets in the database; a digest would not do, because the server needs the plain secret. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EmbeddedOptions } from '../kernel.ts';
import { derivedKey, seal, unseal } from '../seal.ts';
import { DATABASE_FILE, type Store } from '../sqlite/store.ts';

/** Marks sealed values; older releases stored base32 and JSON. */
const MARK = 'sealed:';

/** @param about the user's id, so that the value is useless in another user's row */
export const sealColumn = (text: string, key: Buffer, about: string): string =>
  MARK + seal(text, key, about).toString('base64');

/** Returns `undefined` for a value that another server key sealed. */
export const openColumn = (kept: string, key: Buffer, about: string): string | undefined =>
  unseal(Buffer.from(kept.slice(MARK.length), 'base64'), key, about);

const COLUMNS = [
  ['authenticators', 'secret'],
  ['recovery_codes', 'codes'],
] as const;

/** Returns the key that seals second factors. */
export const factorKey = (options: Pick<EmbeddedOptions, 'keys'>): Buffer => derivedKey(options, 'second factors');

/**
 * Counts the users in `directory` whose second factors were sealed with a key other than `secret`. Throws SQLite's
 * errors.
 */
export function countLostFactors(directory: string, secret: string): number {
  const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true });
  try {
    const key = factorKey({ keys: [{ secret }] });
    const lost = COLUMNS.flatMap(([table, column]) =>
      database
        .prepare(`SELECT user_id AS id, ${column} AS kept FROM ${table}`)
        .all()
        .map((row) => ({ id: row.id as string, kept: row.kept as string }))
        .filter(({ id, kept }) => kept.startsWith(MARK) && openColumn(kept, key, id) === undefined),
    );
    return new Set(lost.map(({ id }) => id)).size;
  } finally {
    database.close();
  }
}

/** Seals secrets that an older release stored in plain text, and logs how many factors another server key sealed. */
export function sealPlainFactors({ database }: Store, key: Buffer, log: EmbeddedOptions['log']): void {
  const lost = new Set<string>();
  for (const [table, column] of COLUMNS) {
    const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE user_id = ?`);
    for (const row of database.prepare(`SELECT user_id AS id, ${column} AS kept FROM ${table}`).all()) {
      const [id, kept] = [row.id as string, row.kept as string];
      if (!kept.startsWith(MARK)) update.run(sealColumn(kept, key, id), id);
      else if (openColumn(kept, key, id) === undefined) lost.add(id);
    }
  }
  if (lost.size === 0) return;
  log?.(
    'warn',
    `Another server key sealed the second factors of ${lost.size} people: nothing proves them. Put the former key back, or take each away by PATCH /v1/users/ID/mfa {"mfa":false} and DELETE /v1/users/ID/mfa/authenticators/totp.`,
  );
}
