/** What the pages about people say: the site's own page, the first owner's, and that of one-time links. In every language. */

import { errorText, listText, wordsFor } from '../messages.ts';
import type { SiteRole } from '../people.ts';
import de from './de/people.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'The site',
  parts: 'Parts of this page',
  people: 'People',
  posts: 'Posts',
  writing: 'Who may write',
  import: 'Import',
  notAllowed: 'This page is for the owners and editors of the site.',
  loading: 'Loading…',
  retry: 'Try again',
  search: 'Search',
  searchPeople: 'Names and addresses',
  searchPosts: 'Search titles',
  nobodyFound: 'Nobody is found by that.',
  tags: 'Tags',
  tagsHelp: 'A name that another tag has makes the two one. Everybody’s posts change with it, drafts too.',
  noTags: 'No published post has a tag.',
  renameTag: 'Rename',
  renameTagOf: 'Rename tag {name}',
  newTagName: 'New name',
  mergesWith: 'There is a tag {name}: the two become one.',
  mergeTags: 'Merge',
  alsoWritten: 'also written {names}',
  tagRenamed: 'Tag {before} is called {after} now.',
  noPosts: 'No published post is found.',
  count: { one: 'One person', other: '{count} people' },
  more: 'Show more',
  roles: { owner: 'Owner', editor: 'Editor', writer: 'Writer' } as Record<SiteRole, string>,
  noRole: 'No role',
  roleOf: 'Role of {name}',
  invited: 'Invited',
  blocked: 'Blocked',
  you: 'You',
  postCount: { one: 'One post', other: '{count} posts' },
  stored: '{size} of pictures',
  lastSeen: 'last seen on {day}',
  neverSeen: 'not seen yet',
  manage: 'Manage {name}',
  manageShort: 'Manage',
  block: 'Block',
  unblock: 'Unblock',
  endSessions: 'Sign out everywhere',
  link: 'One-time link',
  remove: 'Delete…',
  removeTitle: 'Delete {name}?',
  removeQuestion: 'The account is gone for good. What shall become of the posts?',
  removePosts: 'Delete the posts and pictures, too',
  handOverPosts: 'Hand the posts over to me',
  removeConfirm: 'Delete account',
  cancel: 'Cancel',
  close: 'Close',
  working: 'One moment…',
  invite: 'Invite somebody',
  inviteHelp: 'They choose a name and a password when they come.',
  email: 'Email',
  role: 'Role',
  inviteByMail: 'Send invitation',
  inviteByLink: 'Make a link',
  mailed: 'An invitation is on its way to {email}.',
  renewed:
    '{email} had an account whose address was never confirmed. Its password, sessions and second factor no longer work.',
  welcomeRenewed:
    'Your address had an account here that was never confirmed. Its password, sessions and second factor no longer work.',
  noMail: 'This site sends no mail: hand the link over yourself.',
  linkTitle: 'A link to hand over',
  linkHelp: 'It signs {name} in, once, within {time}. Send it where nobody else reads.',
  anHour: 'an hour',
  aWeek: 'seven days',
  copy: 'Copy',
  copied: 'Copied.',
  done: {
    role: '{name}: {role}.',
    blocked: '{name} is blocked and signed out everywhere.',
    unblocked: '{name} may sign in again.',
    ended: '{name} is signed out everywhere.',
    removed: 'The account of {name} is deleted.',
  },
  everyone: 'Everybody with an account',
  everyoneHelp: 'Whoever signs up can write and publish at once.',
  members: 'Members only',
  membersHelp: 'Owners, editors and writers. Everybody else can sign up and read.',
  writersFixed: 'The operator has decided this by the setting WRITERS.',
  writersSaved: 'Saved. It holds from the next post on.',
  by: 'by {author}',
  takeBack: 'Take back',
  takeBackOf: 'Take back {title}',
  deletePost: 'Delete…',
  deletePostOf: 'Delete {title}',
  handOver: 'Hand over…',
  handOverOf: 'Hand over {title}',
  handOverTitle: 'Hand over the post',
  handOverHelp: 'Who shall be the author of “{title}”?',
  author: 'Author',
  takenBack: '“{title}” is not public any more. Its author still has it.',
  postDeleted: '“{title}” is deleted.',
  handedOver: '“{title}” has another author.',
  deletePostTitle: 'Delete the post?',
  deletePostQuestion: '“{title}” will be gone for good, for its author, too.',
  deletePostConfirm: 'Delete post',
  lookAfter: 'Look after the site',
  lookAfterHelp: 'People, their posts, and who may write.',
  claimTitle: 'Own this site',
  claimHelp: 'This site has no owner yet. The owner invites writers, looks after posts and decides who may write.',
  claimAs: 'You are signed in as {name}.',
  claim: 'Become the owner',
  claimFirst: 'Make an account first, or sign in to yours.',
  newAccount: 'New account',
  ownAccount: 'I have an account',
  claimWrong: 'This link does not hold any more. While the site has no owner, each start prints another one.',
  hasOwner: 'This site has an owner already. Ask for an invitation.',
  noToken: 'Open the whole link that was printed when the site was started.',
  welcomeTitle: 'Welcome',
  welcomeHelp:
    'You are signed in as {email}. Choose the name that readers see and a password. The owners and editors of this site may take back, hand over and delete what you write.',
  newPasswordTitle: 'Choose a new password',
  newPasswordHelp: 'You are signed in as {email}.',
  welcomeSave: 'Save and go on',
  saving: 'Saving…',
  welcomeWrong: 'This link was used already, or does not hold any more. Ask for a new one.',
  accepted: 'You have accepted the invitation.',
  noRecentLink: 'The link was opened too long ago to choose a password by it. Ask for a new one.',
  otherSignedIn: 'Somebody else is signed in in this browser. Sign out first, then open the link again.',
  membersOnly: 'On this site, members alone can write. You can sign up all the same, and ask its owner.',
  lastOwner: 'The site needs an owner: make somebody else one first.',
  oneself: 'You cannot do this to yourself.',
  ownerLink: 'Only this owner can make a link to this account, or the operator with “npm run owner”.',
  notFound: 'That is not there any more. Load the page again.',
  fixed: 'The operator has decided this by the setting WRITERS.',
  noKey: 'This site has no server key: ask its operator.',
  failed: 'It could not be done. Please try again.',
} as const;

export const peopleText = textsOf(en, de);

/** What the site's own server answered when it refused. */
export class PeopleFailure extends Error {
  override readonly name = 'PeopleFailure';
  /** HTTP status; 0 without an answer. */
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Words for what was refused or went wrong. */
export function peopleMessage(error: unknown): string {
  if (!(error instanceof PeopleFailure)) return wordsFor(error, peopleText.failed);
  switch (error.message) {
    case 'last-owner':
      return peopleText.lastOwner;
    case 'oneself':
      return peopleText.oneself;
    case 'not-found':
      return peopleText.notFound;
    case 'fixed':
      return peopleText.fixed;
    case 'wrong-token':
      return peopleText.claimWrong;
    case 'has-owner':
      return peopleText.hasOwner;
    case 'owner-link':
      return peopleText.ownerLink;
    case 'not-allowed':
      return peopleText.notAllowed;
    case 'no-recent-link':
      return peopleText.noRecentLink;
  }
  if (error.code === 401) return listText.sessionEnded;
  if (error.code === 403) return peopleText.noKey;
  if (error.code === 429) return errorText.tooManyAttempts;
  return peopleText.failed;
}
