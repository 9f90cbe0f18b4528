import { faultOf, kindOf } from '../errors.ts';
import { errorText, listText, wordsFor } from '../messages.ts';
import de from './de/account.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'Your account',
  name: 'Name',
  nameHelp: 'Readers see it on everything you publish. Changes appear at once.',
  saveName: 'Save name',
  nameSaved: 'Your name was changed.',
  email: 'Email',
  emailHelp: 'You sign in with it. Readers never see it.',
  newEmail: 'New email',
  saveEmail: 'Change email',
  emailSaved: 'You’ll sign in as {email} from now on.',
  password: 'Password',
  passwordHelp: 'Every other device is signed out when you change it.',
  currentPassword: 'Current password',
  newPassword: 'New password',
  confirmPassword: 'Confirm the new password',
  savePassword: 'Change password',
  passwordSaved: 'Your password was changed, and every other device is signed out.',
  saving: 'Saving…',
  sessions: 'Where you are signed in',
  sessionsHelp: 'Don’t recognise a device? Sign it out and change your password.',
  thisDevice: 'This device',
  device: '{browser} on {system}',
  unknownDevice: 'An unknown device',
  since: 'signed in on {day}',
  signOut: 'Sign out',
  signOutOf: 'Sign out {device}',
  signedOut: '{device} is signed out.',
  signOutOthers: 'Sign out all other devices',
  othersSignedOut: 'All other devices are signed out.',
  noOthers: 'You’re not signed in anywhere else.',
  wrongPassword: 'That’s not your current password.',
  sameEmail: 'That’s already your address, or someone else’s.',
  archive: 'Your posts and pictures',
  archiveHelp: 'One file with all your posts, published or not, and their pictures.',
  download: 'Download everything',
  downloading: { one: 'One post…', other: '{count} posts…' },
  posts: { one: 'One post', other: '{count} posts' },
  pictures: { one: 'one picture', other: '{count} pictures' },
  downloaded: '{posts} and {pictures} are in the file.',
  missingPictures: 'These pictures could not be fetched: {ids}',
  deleteTitle: 'Delete your account',
  deleteHelp: 'Your posts and pictures are deleted with it, or go to the site’s owner. This can’t be undone.',
  deleteButton: 'Delete account…',
  deleteQuestion: 'Your account will be deleted for good. Download your posts first if you might want them.',
  whatBecomes: 'What happens to your posts',
  deletePosts: 'Delete my posts and pictures too',
  handOverPosts: 'Leave my posts to the owner of the site',
  nobodyToTakeThem: 'This site has no other owner to take over your posts.',
  deleteConfirm: 'Delete account',
  deleting: 'Deleting…',
  cancel: 'Cancel',
  deleteImpossible: 'This site can’t delete accounts by itself. Ask its operator.',
  failed: 'That couldn’t be saved. Please try again.',
} as const;

export const accountText = textsOf(en, de);

export function deletionMessage(error: unknown): string {
  const { code } = faultOf(error);
  if (code === 403) return accountText.deleteImpossible;
  return code === 401 ? listText.sessionEnded : accountMessage(error);
}

export function accountMessage(error: unknown): string {
  switch (kindOf(error)) {
    case 'bad-credentials':
      // The error type distinguishes a wrong password from an ended session; both are 401.
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
