/** What the pages about people say: the site's own page, the first owner's, and that of one-time links. In every language. */

import { errorText, listText, wordsFor } from '../messages.ts';
import type { SiteRole } from '../people.ts';
import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
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
  renameTagOf: (name: string) => `Rename tag ${name}`,
  newTagName: 'New name',
  mergesWith: (name: string) => `There is a tag ${name}: the two become one.`,
  mergeTags: 'Merge',
  alsoWritten: (names: string) => `also written ${names}`,
  tagRenamed: (before: string, after: string) => `Tag ${before} is called ${after} now.`,
  noPosts: 'No published post is found.',
  count: (total: number) => (total === 1 ? 'One person' : `${total} people`),
  more: 'Show more',
  roles: { owner: 'Owner', editor: 'Editor', writer: 'Writer' } as Record<SiteRole, string>,
  noRole: 'No role',
  roleOf: (name: string) => `Role of ${name}`,
  invited: 'Invited',
  blocked: 'Blocked',
  you: 'You',
  facts: (posts: number, stored: string) =>
    `${posts === 1 ? 'One post' : `${posts} posts`}${stored ? `, ${stored} of pictures` : ''}`,
  lastSeen: (day: string) => `last seen on ${day}`,
  neverSeen: 'not seen yet',
  manage: (name: string) => `Manage ${name}`,
  manageShort: 'Manage',
  block: 'Block',
  unblock: 'Unblock',
  endSessions: 'Sign out everywhere',
  link: 'One-time link',
  remove: 'Delete…',
  removeTitle: (name: string) => `Delete ${name}?`,
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
  mailed: (email: string) => `An invitation is on its way to ${email}.`,
  renewed: (email: string) =>
    `${email} had an account whose address was never confirmed. Its password, sessions and second factor no longer work.`,
  welcomeRenewed:
    'Your address had an account here that was never confirmed. Its password, sessions and second factor no longer work.',
  noMail: 'This site sends no mail: hand the link over yourself.',
  linkTitle: 'A link to hand over',
  linkHelp: (name: string, time: string) =>
    `It signs ${name} in, once, within ${time}. Send it where nobody else reads.`,
  anHour: 'an hour',
  aWeek: 'seven days',
  copy: 'Copy',
  copied: 'Copied.',
  done: {
    role: (name: string, role: string) => `${name}: ${role}.`,
    blocked: (name: string) => `${name} is blocked and signed out everywhere.`,
    unblocked: (name: string) => `${name} may sign in again.`,
    ended: (name: string) => `${name} is signed out everywhere.`,
    removed: (name: string) => `The account of ${name} is deleted.`,
  },
  everyone: 'Everybody with an account',
  everyoneHelp: 'Whoever signs up can write and publish at once.',
  members: 'Members only',
  membersHelp: 'Owners, editors and writers. Everybody else can sign up and read.',
  writersFixed: 'The operator has decided this by the setting WRITERS.',
  writersSaved: 'Saved. It holds from the next post on.',
  by: (author: string) => `by ${author}`,
  takeBack: 'Take back',
  takeBackOf: (title: string) => `Take back ${title}`,
  deletePost: 'Delete…',
  deletePostOf: (title: string) => `Delete ${title}`,
  handOver: 'Hand over…',
  handOverOf: (title: string) => `Hand over ${title}`,
  handOverTitle: 'Hand over the post',
  handOverHelp: (title: string) => `Who shall be the author of “${title}”?`,
  author: 'Author',
  takenBack: (title: string) => `“${title}” is not public any more. Its author still has it.`,
  postDeleted: (title: string) => `“${title}” is deleted.`,
  handedOver: (title: string) => `“${title}” has another author.`,
  deletePostTitle: 'Delete the post?',
  deletePostQuestion: (title: string) => `“${title}” will be gone for good, for its author, too.`,
  deletePostConfirm: 'Delete post',
  lookAfter: 'Look after the site',
  lookAfterHelp: 'People, their posts, and who may write.',
  claimTitle: 'Own this site',
  claimHelp: 'This site has no owner yet. The owner invites writers, looks after posts and decides who may write.',
  claimAs: (name: string) => `You are signed in as ${name}.`,
  claim: 'Become the owner',
  claimFirst: 'Make an account first, or sign in to yours.',
  newAccount: 'New account',
  ownAccount: 'I have an account',
  claimWrong: 'This link does not hold any more. While the site has no owner, each start prints another one.',
  hasOwner: 'This site has an owner already. Ask for an invitation.',
  noToken: 'Open the whole link that was printed when the site was started.',
  welcomeTitle: 'Welcome',
  welcomeHelp: (email: string) =>
    `You are signed in as ${email}. Choose the name that readers see and a password. The owners and editors of this site may take back, hand over and delete what you write.`,
  newPasswordTitle: 'Choose a new password',
  newPasswordHelp: (email: string) => `You are signed in as ${email}.`,
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

const de: Translation<typeof en> = {
  title: 'Die Website',
  parts: 'Teile dieser Seite',
  people: 'Personen',
  posts: 'Beiträge',
  writing: 'Wer schreiben darf',
  import: 'Importieren',
  notAllowed: 'Diese Seite ist für die, denen die Website gehört, und für die Redaktion.',
  loading: 'Wird geladen…',
  retry: 'Noch einmal versuchen',
  search: 'Suchen',
  searchPeople: 'Namen und Adressen',
  searchPosts: 'Titel durchsuchen',
  nobodyFound: 'Damit findet sich niemand.',
  tags: 'Schlagwörter',
  tagsHelp:
    'Ein Name, den ein anderes Schlagwort hat, macht aus beiden eines. Die Beiträge aller ändern sich mit, auch Entwürfe.',
  noTags: 'Kein veröffentlichter Beitrag hat ein Schlagwort.',
  renameTag: 'Umbenennen',
  renameTagOf: (name) => `Schlagwort ${name} umbenennen`,
  newTagName: 'Neuer Name',
  mergesWith: (name) => `Es gibt ein Schlagwort ${name}: Aus beiden wird eines.`,
  mergeTags: 'Zusammenlegen',
  alsoWritten: (names) => `auch geschrieben als ${names}`,
  tagRenamed: (before, after) => `Das Schlagwort ${before} heißt jetzt ${after}.`,
  noPosts: 'Es findet sich kein veröffentlichter Beitrag.',
  count: (total: number) => (total === 1 ? 'Eine Person' : `${total} Personen`),
  more: 'Mehr zeigen',
  roles: { owner: 'Inhaber', editor: 'Redaktion', writer: 'Autor' },
  noRole: 'Keine Rolle',
  roleOf: (name: string) => `Rolle von ${name}`,
  invited: 'Eingeladen',
  blocked: 'Gesperrt',
  you: 'Du',
  facts: (posts: number, stored: string) =>
    `${posts === 1 ? 'Ein Beitrag' : `${posts} Beiträge`}${stored ? `, ${stored} an Bildern` : ''}`,
  lastSeen: (day: string) => `zuletzt da am ${day}`,
  neverSeen: 'noch nicht da gewesen',
  manage: (name: string) => `${name} verwalten`,
  manageShort: 'Verwalten',
  block: 'Sperren',
  unblock: 'Entsperren',
  endSessions: 'Überall abmelden',
  link: 'Einmal-Link',
  remove: 'Löschen…',
  removeTitle: (name: string) => `${name} löschen?`,
  removeQuestion: 'Das Konto ist dann endgültig weg. Was soll aus den Beiträgen werden?',
  removePosts: 'Beiträge und Bilder mit löschen',
  handOverPosts: 'Die Beiträge mir übergeben',
  removeConfirm: 'Konto löschen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  working: 'Einen Moment…',
  invite: 'Jemanden einladen',
  inviteHelp: 'Name und Passwort wählt, wer kommt.',
  email: 'E-Mail',
  role: 'Rolle',
  inviteByMail: 'Einladung senden',
  inviteByLink: 'Link erstellen',
  mailed: (email: string) => `Eine Einladung ist unterwegs an ${email}.`,
  renewed: (email: string) =>
    `${email} hatte ein Konto, dessen Adresse nie bestätigt wurde. Passwort, Sitzungen und zweiter Faktor von vorher gelten nicht mehr.`,
  welcomeRenewed:
    'Mit deiner Adresse gab es hier ein Konto, das nie bestätigt wurde. Passwort, Sitzungen und zweiter Faktor von vorher gelten nicht mehr.',
  noMail: 'Diese Website verschickt keine Mail: Gib den Link selbst weiter.',
  linkTitle: 'Ein Link zum Weitergeben',
  linkHelp: (name: string, time: string) =>
    `Er meldet ${name} an, einmal, und gilt ${time}. Schick ihn dorthin, wo niemand sonst liest.`,
  anHour: 'eine Stunde',
  aWeek: 'sieben Tage',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  done: {
    role: (name: string, role: string) => `${name}: ${role}.`,
    blocked: (name: string) => `${name} ist gesperrt und überall abgemeldet.`,
    unblocked: (name: string) => `${name} darf sich wieder anmelden.`,
    ended: (name: string) => `${name} ist überall abgemeldet.`,
    removed: (name: string) => `Das Konto von ${name} ist gelöscht.`,
  },
  everyone: 'Alle, die ein Konto haben',
  everyoneHelp: 'Wer sich registriert, kann sofort schreiben und veröffentlichen.',
  members: 'Nur Mitglieder',
  membersHelp: 'Inhaber, Redaktion und Autoren. Alle anderen können sich registrieren und lesen.',
  writersFixed: 'Das hat der Betreiber mit der Einstellung WRITERS festgelegt.',
  writersSaved: 'Gespeichert. Es gilt ab dem nächsten Beitrag.',
  by: (author: string) => `von ${author}`,
  takeBack: 'Zurücknehmen',
  takeBackOf: (title: string) => `${title} zurücknehmen`,
  deletePost: 'Löschen…',
  deletePostOf: (title: string) => `${title} löschen`,
  handOver: 'Übergeben…',
  handOverOf: (title: string) => `${title} übergeben`,
  handOverTitle: 'Den Beitrag übergeben',
  handOverHelp: (title: string) => `Wer soll „${title}“ bekommen?`,
  author: 'Autor',
  takenBack: (title: string) => `„${title}“ ist nicht mehr öffentlich. Wer ihn schrieb, hat ihn noch.`,
  postDeleted: (title: string) => `„${title}“ ist gelöscht.`,
  handedOver: (title: string) => `„${title}“ gehört jetzt jemand anderem.`,
  deletePostTitle: 'Den Beitrag löschen?',
  deletePostQuestion: (title: string) => `„${title}“ ist dann endgültig weg, auch für die Person, die ihn schrieb.`,
  deletePostConfirm: 'Beitrag löschen',
  lookAfter: 'Die Website verwalten',
  lookAfterHelp: 'Personen, ihre Beiträge, und wer schreiben darf.',
  claimTitle: 'Diese Website übernehmen',
  claimHelp:
    'Diese Website gehört noch niemandem. Wem sie gehört, lädt ein, kümmert sich um Beiträge und bestimmt, wer schreiben darf.',
  claimAs: (name: string) => `Du bist angemeldet als ${name}.`,
  claim: 'Website übernehmen',
  claimFirst: 'Registriere dich zuerst, oder melde dich an.',
  newAccount: 'Neues Konto',
  ownAccount: 'Ich habe ein Konto',
  claimWrong: 'Dieser Link gilt nicht mehr. Solange die Website niemandem gehört, gibt jeder Start einen neuen aus.',
  hasOwner: 'Diese Website gehört schon jemandem. Lass dich einladen.',
  noToken: 'Öffne den ganzen Link, der beim Start der Website ausgegeben wurde.',
  welcomeTitle: 'Willkommen',
  welcomeHelp: (email: string) =>
    `Du bist angemeldet als ${email}. Wähle den Namen, den man beim Lesen sieht, und ein Passwort. Inhaber und Redaktion dieser Website dürfen zurücknehmen, übergeben und löschen, was du schreibst.`,
  newPasswordTitle: 'Ein neues Passwort wählen',
  newPasswordHelp: (email: string) => `Du bist angemeldet als ${email}.`,
  welcomeSave: 'Speichern und weiter',
  saving: 'Wird gespeichert…',
  welcomeWrong: 'Dieser Link wurde schon benutzt oder gilt nicht mehr. Lass dir einen neuen geben.',
  accepted: 'Du hast die Einladung angenommen.',
  noRecentLink:
    'Der Link wurde vor zu langer Zeit geöffnet, um damit ein Passwort zu wählen. Lass dir einen neuen geben.',
  otherSignedIn:
    'In diesem Browser ist jemand anderes angemeldet. Melde dich zuerst ab und öffne den Link dann noch einmal.',
  membersOnly: 'Auf dieser Website schreiben nur Mitglieder. Du kannst dich trotzdem registrieren und nachfragen.',
  lastOwner: 'Die Website muss jemandem gehören: Bestimme zuerst jemand anderen.',
  oneself: 'Das kannst du nicht mit dir selbst tun.',
  ownerLink: 'Einen Link zu diesem Konto machen nur dieser Inhaber selbst und der Betreiber mit „npm run owner“.',
  notFound: 'Das gibt es nicht mehr. Lade die Seite neu.',
  fixed: 'Das hat der Betreiber mit der Einstellung WRITERS festgelegt.',
  noKey: 'Diese Website hat keinen Serverschlüssel: Wende dich an die Person, die sie betreibt.',
  failed: 'Das ging nicht. Bitte versuche es noch einmal.',
};

export const peopleText = inLanguage(en, de);

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
