/** Each collection has its own table (`documents/sqlite/layout.ts`). Caches rely on sequences never being reused. */
export const DATABASES_TABLES = `
CREATE TABLE databases (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  name TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  type TEXT NOT NULL
) STRICT;

CREATE TABLE collections (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  database INTEGER NOT NULL REFERENCES databases (sequence),
  id TEXT NOT NULL,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  name TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  document_security INTEGER NOT NULL,
  permissions TEXT NOT NULL,
  UNIQUE (database, id)
) STRICT;

CREATE TABLE attributes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collections (sequence),
  key TEXT NOT NULL,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  kind TEXT NOT NULL,
  size INTEGER NOT NULL,
  required INTEGER NOT NULL,
  array INTEGER NOT NULL,
  default_value TEXT,
  options TEXT NOT NULL,
  UNIQUE (collection, key)
) STRICT;

CREATE TABLE indexes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collections (sequence),
  key TEXT NOT NULL,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  type TEXT NOT NULL,
  attributes TEXT NOT NULL,
  orders TEXT NOT NULL,
  lengths TEXT NOT NULL,
  UNIQUE (collection, key)
) STRICT;

CREATE TABLE roles (
  number INTEGER PRIMARY KEY,
  role TEXT NOT NULL UNIQUE
) STRICT;
`;
