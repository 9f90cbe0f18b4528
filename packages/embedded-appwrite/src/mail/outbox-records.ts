/** Emails that the SMTP server has not accepted yet. Methods that write must run inside `store.write`. */
import { AppwriteError } from '../http/errors.ts';
import { uniqueId } from '../identifiers.ts';
import { seal, unseal } from '../seal.ts';
import type { Store } from '../sqlite/store.ts';
import { blob, integer, type RecordOf, table, text, textOf } from '../sqlite/table.ts';
import type { Mail } from './mail.ts';
import type { MailKind } from './texts.ts';

/** Maximum number of waiting emails. With `LARGEST` characters each, they take 40 MB. */
export const MOST_WAITING = 5000;
const LARGEST = 8192;

const COLUMNS = {
  id: text,
  kind: textOf<MailKind>(),
  /** Milliseconds since 1970. */
  createdAt: integer,
  dueAt: integer,
  attempts: integer,
  sealed: blob,
};
const OUTBOX = table('outbox', COLUMNS);

export type WaitingMail = RecordOf<typeof COLUMNS>;

export function createOutboxRecords(store: Store, key: Buffer) {
  const count = store.database.prepare('SELECT count(*) AS waiting FROM outbox');
  const first = store.database.prepare('SELECT * FROM outbox ORDER BY due_at, sequence LIMIT ?');
  const postpone = store.database.prepare('UPDATE outbox SET due_at = ?, attempts = attempts + 1 WHERE id = ?');
  return {
    /** Adds an email, due now. Throws 503 `general_server_busy` if the outbox is full, 400 if the email is too long. */
    insert(mail: Mail, now: number): void {
      const text = JSON.stringify(mail);
      if (text.length > LARGEST) throw new AppwriteError('general_argument_invalid');
      if ((count.get()?.waiting as number) >= MOST_WAITING) throw new AppwriteError('general_server_busy');
      const id = uniqueId();
      OUTBOX.insert(store, { id, kind: mail.kind, createdAt: now, dueAt: now, sealed: seal(text, key, id) });
    },
    /** Returns up to `most` emails in order of their due times, including emails that are not due yet. */
    first: (most: number): WaitingMail[] => first.all(most).map(OUTBOX.fromRow),
    /** Returns `undefined` if the email was encrypted with another server key. */
    open({ sealed, id }: WaitingMail): Mail | undefined {
      const text = unseal(sealed, key, id);
      return text === undefined ? undefined : JSON.parse(text);
    },
    postpone: (id: string, dueAt: number): void => void postpone.run(dueAt, id),
    remove: (id: string): void => void OUTBOX.delete(store, { id }),
  };
}
