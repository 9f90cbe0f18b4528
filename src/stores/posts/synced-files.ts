/** Loaded with the form, whereas `file-conflicts.ts` is loaded only when there is a conflict. */
export { listSyncedFiles } from '#backend/browser/synced-files.ts';
