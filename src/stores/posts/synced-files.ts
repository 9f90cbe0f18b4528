/** Loaded by every post form. `file-conflicts.ts` is separate, because only synced files and conflicts need it. */
export { listSyncedFiles } from '#backend/browser/synced-files.ts';
