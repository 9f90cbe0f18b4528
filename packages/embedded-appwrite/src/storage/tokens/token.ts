/** File tokens. Anyone who has a token's secret can view, download and preview the token's file (contract 2.7). */
import { now } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import { integer, type RecordOf, rowReader, table, text, textOrNull } from '../../sqlite/table.ts';

const COLUMNS = {
  id: text,
  fileSequence: integer,
  secret: text,
  /** Null if the token does not expire. */
  expire: textOrNull,
  accessedAt: text,
  createdAt: text,
  updatedAt: text,
};

export const TOKENS = table('file_tokens', COLUMNS);

export const TOKEN_COLUMNS = "t.*, b.id || ':' || f.id AS resource_id";
export const TOKEN_TABLES =
  'file_tokens t JOIN files f ON f.sequence = t.file_sequence JOIN buckets b ON b.sequence = f.bucket_sequence';

const WITH_RESOURCE = {
  ...COLUMNS,
  /** `<bucket>:<file>`. */
  resourceId: text,
};

export type TokenRecord = RecordOf<typeof WITH_RESOURCE>;

export const tokenFromRow = rowReader(WITH_RESOURCE);

export function tokenModel(token: TokenRecord): Record<string, unknown> {
  return {
    $id: token.id,
    $createdAt: token.createdAt,
    resourceId: token.resourceId,
    resourceType: 'files',
    expire: token.expire ?? '',
    secret: token.secret,
    accessedAt: token.accessedAt,
  };
}

const DAY_MS = 86_400_000;

/** Records the use of a token at most once a day, without delaying the request. */
function noteUse(store: Store, secret: string, accessedAt: string): void {
  if (Date.now() - Date.parse(accessedAt) < DAY_MS) return;
  const noted = now();
  store.write(() => TOKENS.update(store, { secret }, { accessedAt: noted })).catch(() => {}); // the next use records it
}

/**
 * Returns the row number (`sequence`) of the file to which the token with this secret gives access; `undefined` if the
 * secret is empty, unknown or expired.
 */
export function passOf(store: Store, secret: string): number | undefined {
  const token = secret === '' ? undefined : TOKENS.get(store, { secret });
  if (!token || (token.expire !== null && Date.parse(token.expire) <= Date.now())) return undefined;
  noteUse(store, secret, token.accessedAt);
  return token.fileSequence;
}
