/** Lists the migrations, newest last. Released ones are never edited: a change to a `tables.ts` is a new migration. */
import type { DatabaseSync } from 'node:sqlite';
import { ACCOUNT_TABLES, FORMER_USERS, TOKENS_INDEX } from '../account/tables.ts';
import { DATABASES_TABLES } from '../databases/tables.ts';
import { MAIL_TABLES } from '../mail/tables.ts';
import { MFA_TABLES } from '../mfa/tables.ts';
import { countStorage } from '../quota/migration.ts';
import { FILE_BYTES, STORAGE_TABLES } from '../storage/tables.ts';
import { TEAM_OWNERS, TEAMS_TABLES } from '../teams/tables.ts';
import { WEBHOOKS_TABLES } from '../webhooks/tables.ts';

export interface Migration {
  readonly version: number;
  readonly sql: string;
  /** Migrates stored data after `sql`, in the same transaction. */
  readonly run?: (database: DatabaseSync) => void;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, sql: [ACCOUNT_TABLES, DATABASES_TABLES, STORAGE_TABLES].join('\n') },
  { version: 2, sql: WEBHOOKS_TABLES },
  { version: 3, sql: '', run: countStorage },
  { version: 4, sql: [TOKENS_INDEX, MAIL_TABLES].join('\n') },
  { version: 5, sql: TEAMS_TABLES },
  { version: 6, sql: MFA_TABLES },
  // Also makes older releases refuse the database: they cannot read encrypted second factors (`mfa/sealed-column.ts`).
  { version: 7, sql: "DELETE FROM server_values WHERE name = 'jwt-key'" },
  { version: 8, sql: FORMER_USERS },
  { version: 9, sql: TEAM_OWNERS },
  { version: 10, sql: FILE_BYTES },
];
