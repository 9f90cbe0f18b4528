/** Exports the backend for the browser. Only `stores` and `islands` import it, and only through this file. */

export type { OwnSession } from './browser/account.ts';
export { siteOf } from './browser/client.ts';
export { deleteFile, type Progress, uploadFile } from './browser/files.ts';
export { identityHeaders } from './browser/identity-headers.ts';
export { type PostEvent, subscribeToPosts } from './browser/live.ts';
export type { LinkSignIn } from './browser/one-time-links.ts';
export type { OwnArchive } from './browser/own-archive.ts';
export {
  countPosts,
  type ListOptions,
  listPosts,
  type PostList,
  type PostListQuery,
  stillListed,
} from './browser/post-lists.ts';
export {
  type Attempt,
  changeStatus,
  createPost,
  deletePost,
  EditConflict,
  getPost,
  type NewPost,
  type PostChanges,
  type Sending,
  updatePost,
} from './browser/posts.ts';
export {
  deleteRevisions,
  formerPicture,
  getRevision,
  type KeepResult,
  keepRevision,
  listRevisions,
  type Revision,
  type RevisionSummary,
} from './browser/revisions.ts';
export { currentUser, logIn, logInAgain, logOut, sessionUser, signUp } from './browser/session.ts';

export const importAccount = () => import('./browser/account.ts');
/** Loaded on demand: it brings a zip library along. */
export const importOwnArchive = () => import('./browser/own-archive.ts');
export const importLinks = () => import('./browser/one-time-links.ts');
export type { AppKey, CodeKind } from './browser/second-factor.ts';
export const importRecovery = () => import('./browser/recovery.ts');
/** Loaded on demand: few accounts have a second factor. */
export const importSecondFactor = () => import('./browser/second-factor.ts');
