/** Loaded with the form, whereas `file-conflicts.ts` is loaded only for posts with synced files. */
export { listSyncedFiles } from '#backend/browser/synced-files.ts';
