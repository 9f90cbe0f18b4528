/** Loaded with the form; `file-conflicts.ts` is loaded with a conflict. */
export { listSyncedFiles } from '#backend/browser/synced-files.ts';
