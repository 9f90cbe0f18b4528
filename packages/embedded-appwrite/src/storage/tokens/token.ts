/** A file token: its secret opens view, download and preview of one file (contract 2.7). */
import { now } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';

export interface TokenRecord {
  readonly id: string;
  readonly fileSequence: number;
  readonly secret: string;
  /** Date of the contract's form; null: never. */
  readonly expire: string | null;
  readonly accessedAt: string;
  readonly createdAt: string;
  /** `<bucket>:<file>`. */
  readonly resourceId: string;
}

/** Columns and tables that `tokenFromRow` needs. */
export const TOKEN_COLUMNS = "t.*, b.id || ':' || f.id AS resource_id";
export const TOKEN_TABLES =
  'file_tokens t JOIN files f ON f.sequence = t.file_sequence JOIN buckets b ON b.sequence = f.bucket_sequence';

export function tokenFromRow(row: Record<string, unknown>): TokenRecord {
  return {
    id: row.id as string,
    fileSequence: row.file_sequence as number,
    secret: row.secret as string,
    expire: row.expire as string | null,
    accessedAt: row.accessed_at as string,
    createdAt: row.created_at as string,
    resourceId: row.resource_id as string,
  };
}

/** The answer for a token. */
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

const DAY = 86_400_000;

/** Notes that a token was used, at most once a day, without making the reader wait. */
function noteUse(store: Store, secret: string, accessedAt: string): void {
  if (Date.now() - Date.parse(accessedAt) < DAY) return;
  const noted = now();
  store
    .write(() => store.prepare('UPDATE file_tokens SET accessed_at = ? WHERE secret = ?').run(noted, secret))
    .catch(() => {}); // the next use notes it
}

/** The sequence of the file that a token's secret opens; `undefined` for no token, a wrong or an expired one. */
export function passOf(store: Store, secret: string): number | undefined {
  if (secret === '') return undefined;
  const row = store.prepare('SELECT file_sequence, expire, accessed_at FROM file_tokens WHERE secret = ?').get(secret);
  if (!row) return undefined;
  if (row.expire !== null && Date.parse(row.expire as string) <= Date.now()) return undefined;
  noteUse(store, secret, row.accessed_at as string);
  return row.file_sequence as number;
}
