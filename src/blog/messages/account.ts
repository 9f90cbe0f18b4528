/** What the account page says, in every language. Apart from the other catalogues, because only that page needs it. */

import { faultOf, kindOf } from '../errors.ts';
import { errorText, listText, wordsFor } from '../messages.ts';
import de from './de/account.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'Your account',
  name: 'Name',
  nameHelp: 'Readers see it under everything you publish, at once.',
  saveName: 'Save name',
  nameSaved: 'Your name was changed.',
  email: 'Email',
  emailHelp: 'You sign in with it. Readers never see it.',
  newEmail: 'New email',
  saveEmail: 'Change email',
  emailSaved: 'You sign in as {email} from now on.',
  password: 'Password',
  passwordHelp: 'Every other device is signed out when you change it.',
  currentPassword: 'Current password',
  newPassword: 'New password',
  confirmPassword: 'Confirm the new password',
  savePassword: 'Change password',
  passwordSaved: 'Your password was changed, and every other device is signed out.',
  saving: 'Saving…',
  sessions: 'Where you are signed in',
  sessionsHelp: 'A device that you do not know? Sign it out and change your password.',
  loading: 'Loading…',
  thisDevice: 'This device',
  device: '{browser} on {system}',
  unknownDevice: 'An unknown device',
  since: 'signed in on {day}',
  signOut: 'Sign out',
  signOutOf: 'Sign out {device}',
  signedOut: '{device} is signed out.',
  signOutOthers: 'Sign out all other devices',
  othersSignedOut: 'All other devices are signed out.',
  noOthers: 'You are signed in nowhere else.',
  retry: 'Try again',
  wrongPassword: 'The current password is not right.',
  sameEmail: 'That is your address already, or somebody else’s.',
  archive: 'Your posts and pictures',
  archiveHelp: 'One file with every post of yours, published or not, and the pictures that they show.',
  download: 'Download everything',
  downloading: { one: 'One post…', other: '{count} posts…' },
  posts: { one: 'One post', other: '{count} posts' },
  pictures: { one: 'one picture', other: '{count} pictures' },
  downloaded: '{posts} and {pictures} are in the file.',
  missingPictures: 'These pictures could not be fetched: {ids}',
  deleteTitle: 'Delete your account',
  deleteHelp: 'Your posts and pictures go with it, or to the owner of the site. Nobody can bring the account back.',
  deleteButton: 'Delete account…',
  deleteQuestion: 'Your account will be gone for good. Download your posts first if you may want them again.',
  whatBecomes: 'What becomes of your posts',
  deletePosts: 'Delete my posts and pictures, too',
  handOverPosts: 'Leave my posts to the owner of the site',
  nobodyToTakeThem: 'This site has no other owner who could take your posts.',
  deleteConfirm: 'Delete account',
  deleting: 'Deleting…',
  cancel: 'Cancel',
  deleteImpossible: 'This site cannot delete accounts by itself. Ask whoever runs it.',
  failed: 'It could not be saved. Please try again.',
} as const;

export const accountText = textsOf(en, de);

/** Words for an account that could not be deleted: the site's own server answered. */
export function deletionMessage(error: unknown): string {
  const { code } = faultOf(error);
  if (code === 403) return accountText.deleteImpossible;
  return code === 401 ? listText.sessionEnded : accountMessage(error);
}

/** Words for what could not be changed or read on the account page. */
export function accountMessage(error: unknown): string {
  switch (kindOf(error)) {
    case 'bad-credentials':
      // Who is a guest by now has another 401 than who typed a wrong password.
      return faultOf(error).type === 'user_invalid_credentials' ? accountText.wrongPassword : listText.sessionEnded;
    case 'unauthorized':
      return listText.sessionEnded;
    case 'taken':
      return accountText.sameEmail;
    case 'too-many-requests':
      return errorText.tooManyAttempts;
    default:
      return wordsFor(error, accountText.failed);
  }
}
