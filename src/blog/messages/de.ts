/** The product's texts in German, in the order of the English ones. */

import type { Catalogue } from '../messages.ts';

export const de: Catalogue = {
  formText: {
    titleRequired: 'Bitte einen Titel angeben.',
    titleTooLong: (length, most) => `Der Titel darf höchstens ${most} Zeichen haben; dieser hat ${length}.`,
    slugRequired: 'Bitte ein Kürzel angeben.',
    slugOfMarks: 'Im Kürzel mindestens einen Buchstaben oder eine Ziffer verwenden.',
    slugCharacters: 'Nur Kleinbuchstaben a-z, Ziffern, Punkte, Binde- und Unterstriche verwenden.',
    slugStart: 'Das Kürzel muss mit einem Buchstaben oder einer Ziffer beginnen.',
    slugTooLong: (length, most) => `Das Kürzel darf höchstens ${most} Zeichen haben; dieses hat ${length}.`,
    contentTooLong: (length, most) =>
      `Der Text ist zu lang zum Speichern: ${count(length)} Zeichen HTML, und höchstens ${count(most)} passen. Bitte auf zwei Beiträge verteilen.`,
    contentTooMarked: (elements, most) =>
      `Der Text hat zu viele Teile: etwa ${count(elements)} Listenpunkte, Tabellenzellen, Überschriften, Verweise und dergleichen, und höchstens ${count(most)} passen. Bitte auf mehrere Beiträge verteilen.`,
    hourPassed: 'Diese Zeit ist vorbei. Bitte eine spätere wählen oder sie leeren.',
    hoursBackwards: 'Der Beitrag würde zurückgezogen, bevor er veröffentlicht ist.',
    statusRequired: 'Bitte einen Status wählen: aktiv oder inaktiv.',
    imageRequired: 'Bitte ein Titelbild für den Beitrag wählen',
    imageType: 'Bitte ein Bild im Format PNG, JPG, JPEG oder GIF wählen.',
    imageTooLarge: (bytes, most) =>
      `Das Bild darf höchstens ${megabytes(most)} MB haben; dieses hat ${megabytes(bytes)} MB.`,
  },
  shellText: {
    loading: 'Wird geladen …',
    preparing: 'Der Blog wird vorbereitet',
    checkingAccess: 'Zugang wird geprüft …',
    home: 'Startseite',
    login: 'Anmelden',
    signup: 'Registrieren',
    allPosts: 'Alle Beiträge',
    addPost: 'Neuer Beitrag',
    editPost: 'Beitrag bearbeiten',
    account: 'Konto',
    logout: 'Abmelden',
    logoutFailed: 'Du bist noch angemeldet: Der Server hat nicht geantwortet. Versuche es noch einmal.',
  },
  homeText: {
    writePost: 'Einen Beitrag schreiben',
    createFirst: 'Den ersten Beitrag schreiben',
  },
  loginText: {
    title: 'Melde dich an',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    submitting: 'Wird angemeldet …',
  },
  listText: {
    loading: 'Beiträge werden geladen …',
    retry: 'Erneut versuchen',
    sessionEnded: 'Die Sitzung ist zu Ende; nichts wurde geändert.',
    signedOut: 'Die Anmeldung ist beendet.',
  },
  postFormText: {
    title: 'Titel',
    slug: 'Kürzel',
    slugLocked: 'Das Kürzel entsteht mit dem Beitrag und kann später nicht geändert werden.',
    content: 'Inhalt',
    featuredImage: 'Titelbild',
    chooseImage: 'Bild wählen, hierher ziehen oder einfügen',
    chooseAnother: 'Anderes Bild wählen',
    imageHelp: 'PNG, JPG, JPEG oder GIF, höchstens 10 MB.',
    status: 'Status',
    submit: 'Veröffentlichen',
    update: 'Aktualisieren',
    preview: 'Vorschau',
    details: 'Schlagwörter, Auszug, Sprache',
    versions: 'Frühere Fassungen',
    compare: 'Vergleichen',
    closeNotice: 'Schließen',
    changedElsewhere: 'Dieser Beitrag wurde anderswo geändert, seit er hier geöffnet wurde. Der Text hier ist noch da.',
    loading: 'Wird geladen …',
    notFound: 'Beitrag nicht gefunden.',
    titleExample: 'Ein Titel, der Lust auf mehr macht',
    slugHelp: (path) => `Die Adresse des Beitrags: ${path}`,
    about: 'Zum Beitrag',
    active: 'Aktiv',
    inactive: 'Inaktiv',
    activeHelp: 'Alle können ihn lesen.',
    inactiveHelp: 'Leser sehen ihn nicht.',
    hours: 'Später veröffentlichen oder zurückziehen',
    shareDraft: 'Diesen Entwurf zeigen',
    takenOffHelp: 'Er wird von der Website genommen; Leser sehen ihn nicht mehr.',
    notYours: 'Nur wer diesen Beitrag geschrieben hat, kann ihn bearbeiten.',
    read: 'Beitrag lesen',
    notLoaded:
      'Dieser Teil konnte nicht geladen werden. Was du geschrieben hast, ist noch da. Bitte die Verbindung prüfen und es erneut versuchen; hilft das nicht, die Seite neu laden.',
    deletedElsewhere:
      'Dieser Beitrag wurde anderswo gelöscht, während er hier offen ist. Der Text ist noch da und kann in einen neuen mitgenommen werden.',
    newPost: 'Neuer Beitrag',
  },
  draftText: {
    saved: (time) => `Auf diesem Gerät gesichert um ${time}`,
    savedOffline: (time) => `Ohne Verbindung. Auf diesem Gerät gesichert um ${time}`,
    offline: 'Ohne Verbindung',
    discard: 'Verwerfen',
    discarded: 'Verworfen.',
    undo: 'Rückgängig',
    sending: 'Unterwegs zur Website. Danach lässt sich wieder alles ändern.',
    withoutPicture: (time) => `Auf diesem Gerät gesichert um ${time}, aber für die Bilder ist kein Platz`,
    full: 'Nicht auf diesem Gerät gesichert: sein Speicher ist voll',
    refused:
      'Nicht auf diesem Gerät gesichert: dieses Fenster behält nichts (ein privates Fenster, oder der Speicher ist abgeschaltet)',
  },
  sessionText: {
    ended: 'Die Anmeldung ist beendet. Der Text ist noch hier; veröffentlicht wird er nach dem Anmelden.',
    title: 'Noch einmal anmelden',
  },
  pictureText: {
    onlyThere:
      'Dieses Bild gibt es nur in dem Programm oder auf der Seite, von der es kopiert wurde. Bitte das Bild allein kopieren oder seine Datei hierher ziehen.',
    upload: (name) => `Hochladen von ${name}`,
    waiting: 'Wartet',
    preparing: 'Wird vorbereitet',
    cancel: 'Abbrechen',
    retry: 'Erneut versuchen',
    remove: 'Entfernen',
    unsent: (pictures) =>
      pictures === 1
        ? 'Ein Bild des Textes konnte nicht hochgeladen werden. Bitte dort erneut versuchen oder entfernen, dann noch einmal speichern.'
        : `${pictures} Bilder des Textes konnten nicht hochgeladen werden. Bitte dort erneut versuchen oder entfernen, dann noch einmal speichern.`,
    sent: (percent, bytes, total) =>
      total < 1_000_000
        ? `${percent} % · ${Math.round(bytes / 1000)} von ${Math.round(total / 1000)} kB`
        : `${percent} % · ${tenths(bytes)} von ${tenths(total)} MB`,
    part: (part, parts) => ` · Teil ${part} von ${parts}`,
  },
  postText: {
    readMore: 'Weiterlesen',
    noImage: 'Kein Bild vorhanden',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    loading: 'Beitrag wird geladen …',
    notFound: 'Beitrag nicht gefunden',
    backHome: 'Zurück zur Startseite',
    minutes: (minutes) => `${minutes} Min. Lesezeit`,
  },
  errorText: {
    line: (message) => `Fehler: ${message}`,
    guest: 'Nicht angemeldet – Zugang als Gast',
    badCredentials: 'E-Mail-Adresse oder Passwort stimmt nicht.',
    tooManyAttempts: 'Zu viele Versuche. Bitte später noch einmal versuchen.',
    loginFailed: 'Etwas ist schiefgegangen. Bitte später noch einmal versuchen.',
    loginWithoutUser: 'Die Anmeldung ist gelungen, aber es fehlen Angaben zum Konto.',
    tooManyRequests: 'Zu viele Anfragen. Bitte später noch einmal versuchen.',
    emailTaken: 'Mit dieser E-Mail-Adresse gibt es schon ein Konto.',
    badFormat: 'E-Mail-Adresse oder Passwort hat nicht die richtige Form.',
    notMember:
      'Auf dieser Website schreiben nur Mitglieder. Bitte darum, eines zu werden. Dein Text bleibt auf diesem Gerät.',
    otherAccount: 'Das ist ein anderes Konto als das, mit dem dieser Text begonnen wurde. Bitte mit jenem anmelden.',
    signupFailed: 'Das Konto konnte nicht angelegt werden. Bitte noch einmal versuchen.',
    signupWithoutUser: 'Das Konto ist angelegt, aber es fehlen Angaben dazu.',
    slugTaken: 'Einen Beitrag mit diesem Kürzel gibt es schon. Bitte Titel oder Kürzel ändern und es erneut versuchen.',
    submitFailed: 'Der Beitrag konnte nicht gespeichert werden',
    listFailed: 'Die Beiträge konnten nicht geladen werden',
    viewFailed: 'Der Beitrag konnte nicht geladen werden',
    deleteFailed: 'Der Beitrag konnte nicht gelöscht werden',
    statusFailed: 'Der Status konnte nicht geändert werden',
    uploadFailed: 'Das Bild konnte nicht hochgeladen werden',
    unreachable: 'Der Server ist nicht zu erreichen. Bitte die Verbindung prüfen und noch einmal versuchen.',
    tooLarge:
      'Das ist größer, als der Server annimmt. Bitte ein kleineres Bild nehmen oder den Betreiber der Seite bitten, mehr zu erlauben.',
    storageUsed: (megabytes) =>
      `Dein Speicherplatz ist aufgebraucht (${megabytes} MB). Bitte nicht mehr gebrauchte Bilder oder Beiträge löschen oder den Betreiber der Seite fragen.`,
    noRoom:
      'Auf dem Server ist kein Platz mehr. Bitte später noch einmal versuchen oder den Betreiber der Seite verständigen.',
    notProvisioned: (attribute) =>
      `Das Backend dieser Seite hat noch keinen Platz für „${attribute}“. Wer sie betreibt, schafft ihn mit npm run provision; bis dahin das Feld bitte leer lassen.`,
    noRoomForText:
      'Auf dem Server ist kein Platz mehr. Der Text bleibt auf diesem Gerät; bitte später noch einmal versuchen.',
    errorPage: (status) =>
      `Der Server hat mit einer Fehlerseite geantwortet (${status}). Bitte später noch einmal versuchen oder den Betreiber der Seite verständigen.`,
  },
};

const count = (value: number): string => value.toLocaleString('de-DE');
const megabytes = (bytes: number): string => (bytes / 1_000_000).toLocaleString('de-DE', { maximumFractionDigits: 1 });
const tenths = (bytes: number): string =>
  (bytes / 1_000_000).toLocaleString('de-DE', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
