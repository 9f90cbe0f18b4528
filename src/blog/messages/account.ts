/** What the account page says, in every language. Apart from the other catalogues, because only that page needs it. */

import { faultOf, kindOf } from '../errors.ts';
import { errorText, listText, wordsFor } from '../messages.ts';
import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  title: 'Your account',
  name: 'Name',
  nameHelp: 'Readers see it under everything you publish, at once.',
  saveName: 'Save name',
  nameSaved: 'Your name was changed.',
  email: 'Email',
  emailHelp: 'You sign in with it. Readers never see it.',
  newEmail: 'New email',
  saveEmail: 'Change email',
  emailSaved: (email: string) => `You sign in as ${email} from now on.`,
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
  device: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: 'An unknown device',
  since: (day: string) => `signed in on ${day}`,
  signOut: 'Sign out',
  signOutOf: (device: string) => `Sign out ${device}`,
  signedOut: (device: string) => `${device} is signed out.`,
  signOutOthers: 'Sign out all other devices',
  othersSignedOut: 'All other devices are signed out.',
  noOthers: 'You are signed in nowhere else.',
  retry: 'Try again',
  wrongPassword: 'The current password is not right.',
  sameEmail: 'That is your address already, or somebody else’s.',
  archive: 'Your posts and pictures',
  archiveHelp: 'One file with every post of yours, published or not, and the pictures that they show.',
  download: 'Download everything',
  downloading: (posts: number) => (posts === 1 ? 'One post…' : `${posts} posts…`),
  downloaded: (posts: number, pictures: number) =>
    `${posts === 1 ? 'One post' : `${posts} posts`} and ${pictures === 1 ? 'one picture' : `${pictures} pictures`} are in the file.`,
  missingPictures: (ids: string) => `These pictures could not be fetched: ${ids}`,
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

const de: Translation<typeof en> = {
  title: 'Dein Konto',
  name: 'Name',
  nameHelp: 'Wer liest, sieht ihn sofort unter allem, was du veröffentlichst.',
  saveName: 'Namen speichern',
  nameSaved: 'Dein Name wurde geändert.',
  email: 'E-Mail',
  emailHelp: 'Damit meldest du dich an. Wer liest, sieht sie nie.',
  newEmail: 'Neue E-Mail-Adresse',
  saveEmail: 'E-Mail-Adresse ändern',
  emailSaved: (email: string) => `Ab jetzt meldest du dich als ${email} an.`,
  password: 'Passwort',
  passwordHelp: 'Wenn du es änderst, werden alle anderen Geräte abgemeldet.',
  currentPassword: 'Jetziges Passwort',
  newPassword: 'Neues Passwort',
  confirmPassword: 'Neues Passwort bestätigen',
  savePassword: 'Passwort ändern',
  passwordSaved: 'Dein Passwort wurde geändert, alle anderen Geräte sind abgemeldet.',
  saving: 'Wird gespeichert…',
  sessions: 'Wo du angemeldet bist',
  sessionsHelp: 'Ein Gerät, das du nicht kennst? Melde es ab und ändere dein Passwort.',
  loading: 'Wird geladen…',
  thisDevice: 'Dieses Gerät',
  device: (browser: string, system: string) => `${browser} unter ${system}`,
  unknownDevice: 'Ein unbekanntes Gerät',
  since: (day: string) => `angemeldet am ${day}`,
  signOut: 'Abmelden',
  signOutOf: (device: string) => `${device} abmelden`,
  signedOut: (device: string) => `${device} ist abgemeldet.`,
  signOutOthers: 'Alle anderen Geräte abmelden',
  othersSignedOut: 'Alle anderen Geräte sind abgemeldet.',
  noOthers: 'Sonst bist du nirgends angemeldet.',
  retry: 'Noch einmal versuchen',
  wrongPassword: 'Das jetzige Passwort stimmt nicht.',
  sameEmail: 'Das ist schon deine Adresse, oder die von jemand anderem.',
  archive: 'Deine Beiträge und Bilder',
  archiveHelp: 'Eine Datei mit allen deinen Beiträgen, veröffentlicht oder nicht, und den Bildern darin.',
  download: 'Alles herunterladen',
  downloading: (posts: number) => (posts === 1 ? 'Ein Beitrag…' : `${posts} Beiträge…`),
  downloaded: (posts: number, pictures: number) =>
    `${posts === 1 ? 'Ein Beitrag' : `${posts} Beiträge`} und ${pictures === 1 ? 'ein Bild' : `${pictures} Bilder`} sind in der Datei.`,
  missingPictures: (ids: string) => `Diese Bilder ließen sich nicht holen: ${ids}`,
  deleteTitle: 'Konto löschen',
  deleteHelp:
    'Deine Beiträge und Bilder werden mit gelöscht oder gehen an die Person, der die Website gehört. Das Konto kann niemand zurückholen.',
  deleteButton: 'Konto löschen…',
  deleteQuestion:
    'Dein Konto ist dann endgültig weg. Lade deine Beiträge vorher herunter, falls du sie noch einmal brauchst.',
  whatBecomes: 'Was aus deinen Beiträgen wird',
  deletePosts: 'Meine Beiträge und Bilder mit löschen',
  handOverPosts: 'Meine Beiträge der Person überlassen, der die Website gehört',
  nobodyToTakeThem: 'Diese Website gehört sonst niemandem, der deine Beiträge nehmen könnte.',
  deleteConfirm: 'Konto löschen',
  deleting: 'Wird gelöscht…',
  cancel: 'Abbrechen',
  deleteImpossible: 'Diese Website kann Konten nicht selbst löschen. Wende dich an die Person, die sie betreibt.',
  failed: 'Das ließ sich nicht speichern. Bitte versuche es noch einmal.',
};

export const accountText = inLanguage(en, de);

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
