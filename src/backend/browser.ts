/** The backend as islands see it. Only `stores` and `islands` import it, and only through here. */

export type { OwnSession } from './account.ts';
export { siteOf } from './client.ts';
export { deleteFile, type Progress, uploadFile } from './files.ts';
export { identityHeaders } from './identity.ts';
export type { LinkSignIn } from './links.ts';
export { type PostEvent, subscribeToPosts } from './live.ts';
export type { OwnArchive } from './own-archive.ts';
export {
  countPosts,
  type ListOptions,
  listPosts,
  type PostList,
  type PostListQuery,
  stillListed,
} from './post-lists.ts';
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
} from './posts.ts';
export {
  deleteRevisions,
  formerPicture,
  getRevision,
  type KeepResult,
  keepRevision,
  listRevisions,
  type Revision,
  type RevisionSummary,
} from './revisions.ts';
export { currentUser, logIn, logInAgain, logOut, sessionUser, signUp } from './session.ts';

/** Only the account page asks for it. */
export const importAccount = () => import('./account.ts');
/** Few ever want it, and it brings a library along. */
export const importOwnArchive = () => import('./own-archive.ts');
/** Only the page of one-time links asks for it. */
export const importLinks = () => import('./links.ts');
export type { AppKey, CodeKind } from './second-factor.ts';
/** Only those who come by a mail's link ask for it. */
export const importRecovery = () => import('./recovery.ts');
/** Only those who have a second factor ask for it, or want one. */
export const importSecondFactor = () => import('./second-factor.ts');
