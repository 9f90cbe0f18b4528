import { COUNTED_FILES, countRows, uncountRows, usageTriggers } from '../quota/tables.ts';

/** Blob names are never reused. A row is committed after its blob is stored; `sweep.ts` removes blobs without a row. */
export const STORAGE_TABLES = `
CREATE TABLE buckets (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  permissions TEXT NOT NULL,
  file_security INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  maximum_file_size INTEGER NOT NULL,
  allowed_file_extensions TEXT NOT NULL,
  compression TEXT NOT NULL,
  encryption INTEGER NOT NULL,
  antivirus INTEGER NOT NULL,
  transformations INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE files (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  bucket_sequence INTEGER NOT NULL REFERENCES buckets (sequence) ON DELETE CASCADE,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  folder TEXT NOT NULL,
  permissions TEXT NOT NULL,
  signature TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_original INTEGER NOT NULL,
  size_actual INTEGER NOT NULL,
  chunks_total INTEGER NOT NULL,
  chunks_uploaded INTEGER NOT NULL,
  blob TEXT NOT NULL UNIQUE,
  uploader TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (bucket_sequence, id)
) STRICT;
CREATE INDEX files_by_size ON files (bucket_sequence, size_actual);
CREATE INDEX files_unfinished ON files (updated_at) WHERE chunks_uploaded < chunks_total;

CREATE TABLE file_chunks (
  file_sequence INTEGER NOT NULL REFERENCES files (sequence) ON DELETE CASCADE,
  chunk INTEGER NOT NULL,
  PRIMARY KEY (file_sequence, chunk)
) STRICT, WITHOUT ROWID;

CREATE TABLE file_tokens (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  file_sequence INTEGER NOT NULL REFERENCES files (sequence) ON DELETE CASCADE,
  secret TEXT NOT NULL UNIQUE,
  expire TEXT,
  accessed_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX file_tokens_by_file ON file_tokens (file_sequence);
`;

const COUNTED_WITH_ROW = { ...COUNTED_FILES, bytes: 'bytes' };

/** Counts an overhead for each file in addition to its size, as `bytesOfFile` does. */
export const FILE_BYTES = `
DROP TRIGGER files_usage_insert;
DROP TRIGGER files_usage_update;
DROP TRIGGER files_usage_delete;
ALTER TABLE files ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE files SET bytes = size_original + max(4096, octet_length(permissions));
${uncountRows(COUNTED_FILES)}
${countRows(COUNTED_WITH_ROW)}
${usageTriggers(COUNTED_WITH_ROW)}
`;
