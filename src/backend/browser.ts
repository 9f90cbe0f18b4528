/** The backend as islands see it. Only `stores` and `islands` import it, and only through here. */

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

/** Only the account page asks for it. */
export const importAccount = () => import('./browser/account.ts');
/** Few ever want it, and it brings a library along. */
export const importOwnArchive = () => import('./browser/own-archive.ts');
/** Only the page of one-time links asks for it. */
export const importLinks = () => import('./browser/one-time-links.ts');
export type { AppKey, CodeKind } from './browser/second-factor.ts';
/** Only those who come by a mail's link ask for it. */
export const importRecovery = () => import('./browser/recovery.ts');
/** Only those who have a second factor ask for it, or want one. */
export const importSecondFactor = () => import('./browser/second-factor.ts');
