/** Secrets of second factors as their columns hold them: sealed, since both the app and the server must know them. */
import type { EmbeddedOptions } from '../kernel.ts';
import { seal, unseal } from '../seal.ts';
import type { Store } from '../sqlite/store.ts';

/** Tells what is sealed from the base32 and the JSON that older releases kept. */
const MARK = 'sealed:';

/** @param about bound to the text: the user it is of, so that one person's is no use in another's row. */
export const sealColumn = (text: string, key: Buffer, about: string): string =>
  MARK + seal(text, key, about).toString('base64');

/** `undefined` for what another server key sealed. */
export const openColumn = (kept: string, key: Buffer, about: string): string | undefined =>
  unseal(Buffer.from(kept.slice(MARK.length), 'base64'), key, about);

const COLUMNS = [
  ['authenticators', 'secret'],
  ['recovery_codes', 'codes'],
] as const;

/** Seals what an older release kept in plain text, and says so when another server key sealed some of the rest. */
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
