/** Re-exports the browser's backend modules that several pages need. `stores` imports the other modules directly. */

export { identityHeaders, siteOf } from './browser/client.ts';
export { deleteFile, type Progress, uploadFile } from './browser/files.ts';
export { type PostEvent, subscribeToPosts } from './browser/live.ts';
export type { ListOptions, PostList, PostListQuery } from './browser/post-lists.ts';
export { countPosts, listPosts, stillListed } from './browser/post-lists.ts';
export type { Attempt, NewPost, PostChanges, Sending } from './browser/posts.ts';
export { changeStatus, createPost, deletePost, EditConflict, getPost, updatePost } from './browser/posts.ts';
export type { KeepResult, Revision, RevisionSummary } from './browser/revisions.ts';
export { deleteRevisions, formerPicture, getRevision, keepRevision, listRevisions } from './browser/revisions.ts';
export { currentUser, dropStored, logIn, logInAgain, logOut, sessionUser, signUp } from './browser/session.ts';
