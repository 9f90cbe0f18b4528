import { type Counted, usageTriggers } from '../quota/tables.ts';

/** Counts confirmed members with triggers, because deleting a user removes memberships through a foreign key. */
export const TEAMS_TABLES = `
CREATE TABLE teams (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  name TEXT NOT NULL,
  prefs TEXT NOT NULL DEFAULT '{}',
  -- Number of confirmed members
  total INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE memberships (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  invited TEXT NOT NULL,
  -- Empty until the invitation is accepted
  joined TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  -- JSON array
  roles TEXT NOT NULL,
  -- SHA-256 of the invitation's secret, in hex; empty if there was no invitation
  secret TEXT NOT NULL DEFAULT '',
  UNIQUE (team_id, user_id)
) STRICT;
CREATE INDEX memberships_user ON memberships (user_id, confirmed);

CREATE TRIGGER memberships_joined AFTER INSERT ON memberships WHEN new.confirmed = 1
  BEGIN UPDATE teams SET total = total + 1 WHERE id = new.team_id; END;
CREATE TRIGGER memberships_confirmed AFTER UPDATE OF confirmed ON memberships WHEN new.confirmed <> old.confirmed
  BEGIN UPDATE teams SET total = total + new.confirmed - old.confirmed WHERE id = new.team_id; END;
CREATE TRIGGER memberships_left AFTER DELETE ON memberships WHEN old.confirmed = 1
  BEGIN UPDATE teams SET total = total - 1 WHERE id = old.team_id; END;

-- Permissions may still name a deleted team, so only a server key may create a team with that id again
CREATE TABLE former_teams (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`;

const COUNTED_TEAMS: Counted = { table: 'teams', owner: 'owner', bytes: 'bytes' };
const COUNTED_FORMER_TEAMS: Counted = { table: 'former_teams', owner: 'owner', bytes: 'bytes' };

/**
 * Counts teams and the ids of deleted teams towards their creators' quotas, and removes a user's team when its last
 * member leaves. Teams from earlier versions count as created with a server key.
 */
export const TEAM_OWNERS = `
ALTER TABLE teams ADD COLUMN owner TEXT NOT NULL DEFAULT 'key';
ALTER TABLE teams ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX teams_owner ON teams (owner);
ALTER TABLE former_teams ADD COLUMN owner TEXT NOT NULL DEFAULT 'key';
ALTER TABLE former_teams ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
${usageTriggers(COUNTED_TEAMS)}
${usageTriggers(COUNTED_FORMER_TEAMS)}
CREATE TRIGGER teams_deleted AFTER DELETE ON teams
  BEGIN INSERT OR IGNORE INTO former_teams (id, owner, bytes) VALUES (old.id, old.owner, 64); END;
CREATE TRIGGER teams_left AFTER UPDATE OF total ON teams WHEN new.total = 0 AND old.total > 0 AND new.owner <> 'key'
  BEGIN DELETE FROM teams WHERE id = new.id; END;
`;
