export const MAIL_TABLES = `
CREATE TABLE outbox (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  -- Unix time in milliseconds
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  -- Failed attempts so far
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Recipient and link or code, encrypted with AES-256-GCM; the key is not in the database
  sealed BLOB NOT NULL
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at, sequence);
`;
