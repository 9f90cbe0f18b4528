import { errorText, listText, wordsFor } from '../messages.ts';
import type { SiteRole } from '../people.ts';
import de from './de/people.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'Site settings',
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
  nobodyFound: 'No one matches that search.',
  tags: 'Tags',
  tagsHelp: 'If you rename a tag to one that exists, the two are merged in every post, drafts included.',
  noTags: 'No published post has a tag.',
  renameTag: 'Rename',
  renameTagOf: 'Rename tag {name}',
  newTagName: 'New name',
  mergesWith: '“{name}” already exists. The two tags will be merged.',
  mergeTags: 'Merge',
  alsoWritten: 'also written {names}',
  tagRenamed: 'Tag {before} is now called {after}.',
  noPosts: 'No published posts found.',
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
  neverSeen: 'never signed in',
  manage: 'Manage {name}',
  manageShort: 'Manage',
  block: 'Block',
  unblock: 'Unblock',
  endSessions: 'Sign out everywhere',
  link: 'One-time link',
  remove: 'Delete…',
  removeTitle: 'Delete {name}?',
  removeQuestion: 'The account will be deleted for good. What should happen to their posts?',
  removePosts: 'Delete the posts and pictures too',
  handOverPosts: 'Hand the posts over to me',
  removeConfirm: 'Delete account',
  cancel: 'Cancel',
  close: 'Close',
  working: 'One moment…',
  invite: 'Invite someone',
  inviteHelp: 'They’ll choose a name and password when they accept.',
  email: 'Email',
  role: 'Role',
  inviteByMail: 'Send invitation',
  inviteByLink: 'Make a link',
  mailed: 'An invitation is on its way to {email}.',
  renewed:
    '{email} had an account whose address was never confirmed. Its password, sessions and second factor no longer work.',
  welcomeRenewed:
    'Your address had an account here that was never confirmed. Its password, sessions and second factor no longer work.',
  noMail: 'This site doesn’t send email. Pass the link on yourself.',
  linkTitle: 'A link to pass on',
  linkHelp: 'This link signs {name} in once and expires in {time}. Send it privately.',
  anHour: 'an hour',
  aWeek: 'seven days',
  copy: 'Copy',
  copied: 'Copied.',
  done: {
    role: '{name}: {role}.',
    blocked: '{name} is blocked and signed out everywhere.',
    unblocked: '{name} can sign in again.',
    ended: '{name} is signed out everywhere.',
    removed: '{name}’s account was deleted.',
  },
  everyone: 'Everyone with an account',
  everyoneHelp: 'Anyone who signs up can write and publish right away.',
  members: 'Members only',
  membersHelp: 'Owners, editors and writers. Everyone else can sign up and read.',
  writersFixed: 'The operator has set this with WRITERS.',
  writersSaved: 'Saved. This applies to new posts from now on.',
  by: 'by {author}',
  takeBack: 'Unpublish',
  takeBackOf: 'Unpublish {title}',
  deletePost: 'Delete…',
  deletePostOf: 'Delete {title}',
  handOver: 'Hand over…',
  handOverOf: 'Hand over {title}',
  handOverTitle: 'Hand over the post',
  handOverHelp: 'Who should be the author of “{title}”?',
  author: 'Author',
  takenBack: '“{title}” is no longer public. Its author still has it.',
  postDeleted: '“{title}” is deleted.',
  handedOver: '“{title}” has a new author.',
  deletePostTitle: 'Delete the post?',
  deletePostQuestion: '“{title}” will be deleted for good, for its author too.',
  deletePostConfirm: 'Delete post',
  lookAfter: 'Manage the site',
  lookAfterHelp: 'People, their posts, and who may write.',
  claimTitle: 'Own this site',
  claimHelp: 'This site has no owner yet. The owner invites writers, manages posts and decides who may write.',
  claimAs: 'You are signed in as {name}.',
  claim: 'Become the owner',
  claimFirst: 'Create an account first, or sign in to yours.',
  newAccount: 'New account',
  ownAccount: 'I have an account',
  claimWrong:
    'This link has expired or was already used. While the site has no owner, it prints a new one each time it starts.',
  hasOwner: 'This site already has an owner. Ask for an invitation.',
  noToken: 'Open the whole link that the site printed when it started.',
  welcomeTitle: 'Welcome',
  welcomeHelp:
    'You are signed in as {email}. Choose the name that readers see and a password. The owners and editors of this site may unpublish, reassign or delete what you write.',
  newPasswordTitle: 'Choose a new password',
  newPasswordHelp: 'You are signed in as {email}.',
  welcomeSave: 'Save and continue',
  saving: 'Saving…',
  welcomeWrong: 'This link has expired or was already used. Ask for a new one.',
  accepted: 'You have accepted the invitation.',
  noRecentLink: 'You opened the link too long ago to choose a password with it. Ask for a new one.',
  otherSignedIn: 'Someone else is signed in to this browser. Sign out first, then open the link again.',
  membersOnly: 'Only members can write on this site. You can still sign up and ask the owner to add you.',
  lastOwner: 'The site needs an owner. Make someone else an owner first.',
  oneself: 'You can’t do this to yourself.',
  ownerLink: 'Only this owner can create a link to this account, or the operator with “npm run owner”.',
  notFound: 'That no longer exists. Reload the page.',
  fixed: 'The operator has set this with WRITERS.',
  noKey: 'This site has no server key. Ask its operator.',
  failed: 'That didn’t work. Please try again.',
} as const;

export const peopleText = textsOf(en, de);

export class PeopleFailure extends Error {
  override readonly name = 'PeopleFailure';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const REFUSALS = {
  'last-owner': 'lastOwner',
  oneself: 'oneself',
  'not-found': 'notFound',
  fixed: 'fixed',
  'wrong-token': 'claimWrong',
  'has-owner': 'hasOwner',
  'owner-link': 'ownerLink',
  'not-allowed': 'notAllowed',
  'no-recent-link': 'noRecentLink',
} as const;

export function peopleMessage(error: unknown): string {
  if (!(error instanceof PeopleFailure)) return wordsFor(error, peopleText.failed);
  const refusal = REFUSALS[error.message as keyof typeof REFUSALS];
  if (refusal) return peopleText[refusal];
  if (error.code === 401) return listText.sessionEnded;
  if (error.code === 403) return peopleText.noKey;
  if (error.code === 429) return errorText.tooManyAttempts;
  return peopleText.failed;
}
