export const ACCOUNT_TABLES = `
CREATE TABLE users (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT UNIQUE,
  phone TEXT UNIQUE,
  email_verification INTEGER NOT NULL DEFAULT 0,
  phone_verification INTEGER NOT NULL DEFAULT 0,
  status INTEGER NOT NULL DEFAULT 1,
  labels TEXT NOT NULL DEFAULT '[]',
  prefs TEXT NOT NULL DEFAULT '{}',
  password TEXT NOT NULL DEFAULT '',
  password_update TEXT NOT NULL DEFAULT '',
  registration TEXT NOT NULL,
  accessed_at TEXT NOT NULL,
  target_id TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE sessions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the secret, in hex
  secret TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  expire TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_uid TEXT NOT NULL DEFAULT '',
  factors TEXT NOT NULL DEFAULT '[]',
  ip TEXT NOT NULL DEFAULT '',
  -- JSON of the session's os, client and device fields, from the user agent
  agent TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX sessions_user ON sessions (user_id, sequence);
CREATE INDEX sessions_expire ON sessions (expire);

CREATE TABLE tokens (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- 'generic' (sign-in by users.createToken), 'recovery' or 'verification'
  type TEXT NOT NULL,
  -- SHA-256 of the secret, in hex
  secret TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expire TEXT NOT NULL
) STRICT;
CREATE INDEX tokens_user ON tokens (user_id, type);

-- The server's own secrets, such as the key that signs JWTs
CREATE TABLE server_values (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`;

/** Speeds up the deletion of expired tokens, which happens on every insert. */
export const TOKENS_INDEX = `
CREATE INDEX tokens_expire ON tokens (expire);
`;

/** Ids of deleted users. Permissions may still refer to them, so only callers with a server key may reuse an id. */
export const FORMER_USERS = `
CREATE TABLE former_users (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER users_deleted AFTER DELETE ON users
  BEGIN INSERT OR IGNORE INTO former_users (id) VALUES (old.id); END;
INSERT INTO former_users (id)
  SELECT substr(name, 6) FROM (SELECT role AS name FROM roles UNION SELECT owner FROM storage_usage)
  WHERE name GLOB 'user:*' AND name NOT GLOB '*/*' AND substr(name, 6) NOT IN (SELECT id FROM users);
`;
