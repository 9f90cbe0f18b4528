export const MAIL_TABLES = `
CREATE TABLE outbox (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  -- Milliseconds since 1970
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  -- Failures so far
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Recipient, link or code: AES-256-GCM under a key that is not in the database
  sealed BLOB NOT NULL
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at, sequence);
`;
