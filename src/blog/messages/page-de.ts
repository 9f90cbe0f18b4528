/** What public pages say and no island does, in German, in the order of the English texts. */

import type { PageCatalogue } from '../page-texts.ts';

export const de: PageCatalogue = {
  footerText: {
    tagline:
      'Teile deine Geschichten, Einsichten und Ideen mit der Welt. Hier schreiben und lesen Menschen, denen gute Texte am Herzen liegen.',
    madeFor: 'Für alle, die bloggen.',
    newsletterTitle: 'Auf dem Laufenden bleiben',
    newsletter: 'Nachricht bei neuen Beiträgen und Änderungen.',
    subscribe: 'Abonnieren',
    home: 'Startseite',
    allPosts: 'Alle Beiträge',
    createPost: 'Beitrag schreiben',
    archive: 'Archiv',
    feed: 'RSS-Feed',
    helpCenter: 'Hilfe',
    contactUs: 'Kontakt',
    privacyPolicy: 'Datenschutz',
    termsOfService: 'Nutzungsbedingungen',
    backToTop: 'Nach oben',
    quickLinks: 'Schnellzugriff',
    support: 'Unterstützung',
    emailAddress: 'E-Mail-Adresse',
  },
  authorText: {
    unknown: 'Jemand ohne Namen',
    title: (name) => `Beiträge von ${name}`,
    count: (posts) => (posts === 1 ? 'Ein Beitrag' : `${count(posts)} Beiträge`),
  },
  archiveText: {
    title: 'Archiv',
    year: (year) => `Beiträge aus ${year}`,
    allYears: 'Alle Jahre',
    empty: 'Noch ist nichts veröffentlicht',
  },
  searchText: {
    title: 'Suche',
    label: 'Wörter in Titeln und Texten suchen',
    submit: 'Suchen',
    heading: (question) => `Ergebnisse für „${question}“`,
    found: (posts, most) =>
      posts >= most ? `Die ersten ${most} Beiträge` : posts === 1 ? 'Ein Beitrag' : `${posts} Beiträge`,
    nothing: (question) => `Nichts gefunden für „${question}“`,
    nothingHelp: 'Versuche es mit weniger Wörtern oder nur mit dem Anfang eines Wortes.',
    tooMany: 'Zu viele Suchanfragen',
    tooManyHelp: (seconds) =>
      `Bitte ${seconds === 1 ? 'eine Sekunde' : `${seconds} Sekunden`} warten und dann noch einmal suchen.`,
    searching: 'Es wird gesucht …',
    failed: 'Die Suche konnte nicht geladen werden',
    failedHelp: 'Prüfe deine Verbindung und lade die Seite neu.',
    needsScript: 'Die Suche braucht hier Skripte; sie sind in deinem Browser abgeschaltet.',
    archiveInstead: 'Alle Beiträge stehen im Archiv.',
  },
  contentText: {
    linkTo: (heading) => `Link zu „${heading}“`,
    code: 'Code',
    codeIn: (language) => `Code in ${language}`,
    table: 'Tabelle',
    tableOf: (caption) => `Tabelle: ${caption}`,
    footnotes: 'Fußnoten',
    footnote: (mark) => `Fußnote ${mark}`,
    backTo: (mark) => `Zurück zu Verweis ${mark}`,
    done: 'Erledigt',
    toDo: 'Offen',
  },
  routeErrorText: {
    400: 'Ungültige Anfrage',
    403: 'Kein Zugang',
    404: 'Nicht gefunden',
    405: 'Methode nicht erlaubt',
    noRoute: 'Zu dieser Adresse gibt es keine Seite',
    unexpected: 'Unerwarteter Fehler!',
    badRequestHelp: 'Die Adresse dieser Seite ist nicht zu verstehen.',
    forbiddenHelp: 'Diese Seite ist nicht für dich bestimmt.',
    notAllowedHelp: 'So antwortet diese Adresse nicht.',
    unexpectedHelp: 'Der Fehler liegt bei uns und wurde notiert. Versuche es gleich noch einmal.',
    lostPostHelp: 'Vielleicht ist er umgezogen, zurückgezogen oder nie geschrieben worden.',
    goingHome: (seconds) => `In ${seconds} Sekunden geht es zur Startseite.`,
    stay: 'Hier bleiben',
    staying: 'Du bleibst hier.',
    newest: 'Die neuesten Beiträge',
    error: 'Fehler',
    unavailable: 'Die Seite kann gerade nicht gezeigt werden',
  },
};

const count = (value: number): string => value.toLocaleString('de-DE');
