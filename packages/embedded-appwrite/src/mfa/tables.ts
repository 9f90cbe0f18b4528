export const MFA_TABLES = `
ALTER TABLE users ADD COLUMN mfa INTEGER NOT NULL DEFAULT 0;
-- Time of the session's last completed challenge; empty if there was none
ALTER TABLE sessions ADD COLUMN mfa_updated_at TEXT NOT NULL DEFAULT '';

CREATE TABLE authenticators (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Server and app compute the codes from it. Encrypted since version 7 (mfa/sealed-column.ts)
  secret TEXT NOT NULL,
  verified INTEGER NOT NULL DEFAULT 0,
  -- Time step of the newest code that was used
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- JSON array of the unused codes. Encrypted since version 7
  codes TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE challenges (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  factor TEXT NOT NULL,
  -- SHA-256 of the mailed code, in hex; empty for other factors
  code TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  expire TEXT NOT NULL
) STRICT;
CREATE INDEX challenges_user ON challenges (user_id);
CREATE INDEX challenges_expire ON challenges (expire);
`;
