/** A separate file, because every form loads it; only forms of posts with synced files load `file-conflicts.ts`. */
export { listSyncedFiles } from '#backend/browser/synced-files.ts';
