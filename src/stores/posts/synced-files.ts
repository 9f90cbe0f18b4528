/** Separate from `file-conflicts.ts`, which only forms of posts with synced files load. Every form loads this file. */
export { listSyncedFiles } from '#backend/browser/synced-files.ts';
