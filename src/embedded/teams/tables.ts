/** Teams and who is in them. The number of confirmed members is kept by triggers: users go with their memberships. */
export const TEAMS_TABLES = `
CREATE TABLE teams (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  name TEXT NOT NULL,
  prefs TEXT NOT NULL DEFAULT '{}',
  -- Confirmed members
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
  -- JSON list
  roles TEXT NOT NULL,
  -- SHA-256 of the invitation's secret, in hex; empty where there was none
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

-- Permissions that name a deleted team stay: nobody but a server key makes a team of that id again
CREATE TABLE former_teams (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`;
