/** Stores webhooks but not deliveries: any that are unfinished when the process ends are lost, as in Appwrite. */
export const WEBHOOKS_TABLES = `
CREATE TABLE webhooks (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- JSON array of event names
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  tls INTEGER NOT NULL,
  auth_username TEXT NOT NULL,
  auth_password TEXT NOT NULL,
  secret TEXT NOT NULL,
  -- Log of the last failure
  logs TEXT NOT NULL DEFAULT '',
  -- Consecutive failures
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
`;
