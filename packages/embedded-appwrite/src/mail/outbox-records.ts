/** The outbox table: mails wait here, sealed, until the SMTP server has them. Writes run inside `store.write`. */
import { AppwriteError } from '../http/errors.ts';
import { uniqueId } from '../identifiers.ts';
import { seal, unseal } from '../seal.ts';
import type { Store } from '../sqlite/store.ts';
import type { Mail, MailKind } from './mail.ts';

/** Mails that wait at once, and characters of each: 40 MB at most. */
export const MOST_WAITING = 5000;
const LARGEST = 8192;

export interface WaitingMail {
  readonly id: string;
  readonly kind: MailKind;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly dueAt: number;
  readonly attempts: number;
  /** `undefined` when another server key sealed it. */
  readonly mail: Mail | undefined;
}

export interface OutboxRecords {
  /** Throws 503 `general_server_busy` when the outbox is full. */
  insert(mail: Mail, now: number): void;
  /** The mails that are due first, whether their time has come or not. */
  first(count: number): Omit<WaitingMail, 'mail'>[];
  read(waiting: Omit<WaitingMail, 'mail'>): WaitingMail | undefined;
  postpone(id: string, dueAt: number): void;
  remove(id: string): void;
}

/** @param key see `seal`. */
export function createOutboxRecords(store: Store, key: Buffer): OutboxRecords {
  const { database } = store;
  const insert = database.prepare(
    'INSERT INTO outbox (id, kind, created_at, due_at, sealed) VALUES (:id, :kind, :now, :now, :sealed)',
  );
  const count = database.prepare('SELECT count(*) AS waiting FROM outbox');
  const first = database.prepare(
    'SELECT id, kind, created_at AS createdAt, due_at AS dueAt, attempts FROM outbox ORDER BY due_at, sequence LIMIT ?',
  );
  const sealed = database.prepare('SELECT sealed FROM outbox WHERE id = ?');
  const postpone = database.prepare('UPDATE outbox SET due_at = ?, attempts = attempts + 1 WHERE id = ?');
  const remove = database.prepare('DELETE FROM outbox WHERE id = ?');
  return {
    insert(mail, now) {
      const text = JSON.stringify(mail);
      if (text.length > LARGEST) throw new AppwriteError('general_argument_invalid');
      if ((count.get()?.waiting as number) >= MOST_WAITING) throw new AppwriteError('general_server_busy');
      const id = uniqueId();
      insert.run({ id, kind: mail.kind, now, sealed: seal(text, key, id) });
    },
    first: (most) => first.all(most) as unknown as Omit<WaitingMail, 'mail'>[],
    read(waiting) {
      const row = sealed.get(waiting.id);
      if (!row) return undefined;
      const text = unseal(row.sealed as Uint8Array, key, waiting.id);
      return { ...waiting, mail: text === undefined ? undefined : (JSON.parse(text) as Mail) };
    },
    postpone: (id, dueAt) => void postpone.run(dueAt, id),
    remove: (id) => void remove.run(id),
  };
}
