/** Exports the backend for the browser, except the parts that one page needs: `stores` import those themselves. */

export { siteOf } from './browser/client.ts';
export { deleteFile, type Progress, uploadFile } from './browser/files.ts';
export { identityHeaders } from './browser/identity-headers.ts';
export { type PostEvent, subscribeToPosts } from './browser/live.ts';
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
