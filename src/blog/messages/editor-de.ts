/** What the editor says, in German. */

import type { en } from './editor-en.ts';
import type { Translation } from './lazy-messages.ts';

const count = (value: number): string => value.toLocaleString('de-DE');

export const de: Translation<typeof en> = {
  placeholder: 'Schreiben, oder / für eine Überschrift, ein Bild, eine Liste …',
  footnotes: 'Fußnoten',
  length: (value) => (value === 1 ? '1 Wort' : `${count(value)} Wörter`),
  minutes: (value) => `${value} Min. Lesezeit`,

  formatting: 'Formatierung',
  heading: 'Überschrift',
  subheading: 'Zwischenüberschrift',
  smallHeading: 'Kleine Überschrift',
  bold: 'Fett',
  italic: 'Kursiv',
  strike: 'Durchgestrichen',
  code: 'Quelltext',
  link: 'Verweis',
  list: 'Liste',
  numberedList: 'Nummerierte Liste',
  taskList: 'Aufgabenliste',
  quote: 'Zitat',
  picture: 'Bild',
  table: 'Tabelle',
  codeBlock: 'Quelltextblock',
  break: 'Trennlinie',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  find: 'Suchen',
  outline: 'Gliederung',
  fullScreen: 'Vollbild',
  source: 'HTML-Quelltext',

  blocks: 'Blöcke',
  blocksOffered: (value) =>
    value === 1
      ? '1 Block. Die Eingabetaste fügt ihn ein.'
      : `${value} Blöcke. Pfeiltasten wählen, die Eingabetaste fügt ein.`,
  help: {
    heading: ['Ein Teil des Beitrags', 'h2 titel'],
    subheading: ['Ein Teil eines Teils', 'h3 titel'],
    picture: ['Von diesem Gerät', 'foto hochladen image'],
    list: ['Mit Punkten', 'ul aufzählung punkte'],
    numberedList: ['In einer Reihenfolge', 'ol zahlen liste'],
    taskList: ['Mit Kästchen zum Abhaken', 'todo haken'],
    quote: ['Worte von jemand anderem', 'blockquote zitieren'],
    code: ['Mit seiner Sprache', 'pre programm code'],
    table: ['Zeilen und Spalten', 'gitter'],
    break: ['Eine Pause zwischen Teilen', 'hr linie strich'],
  },

  address: 'Adresse des Verweises',
  setLink: 'Verweis setzen',
  removeLink: 'Verweis entfernen',
  underway: (pictures, percent) =>
    percent === undefined
      ? `${pictures === 1 ? '1 Bild' : `${count(pictures)} Bilder`} unterwegs`
      : `1 Bild unterwegs · ${percent} %`,
  arrived: 'Hochgeladen',
  wrongAddress: 'Bitte eine Adresse wie example.com oder /post/another angeben.',
  describe: 'Das Bild beschreiben, für alle, die es nicht sehen können',
  description: 'Ein rotes Boot auf einem stillen See',
  addCaption: 'Bildunterschrift hinzufügen',
  removeCaption: 'Bildunterschrift entfernen',
  captionFace: 'Unterschrift',
  removePicture: 'Bild entfernen',
  language: 'Sprache',
  noLanguage: 'keine',
  rowBelow: ['Zeile darunter einfügen', '+ Zeile'],
  columnRight: ['Spalte rechts einfügen', '+ Spalte'],
  deleteRow: ['Zeile löschen', '− Zeile'],
  deleteColumn: ['Spalte löschen', '− Spalte'],
  headerRow: ['Kopfzeile ein oder aus', 'Kopfzeile'],
  alignLeft: ['Spalte links ausrichten', 'Links'],
  alignMiddle: ['Spalte mittig ausrichten', 'Mitte'],
  alignRight: ['Spalte rechts ausrichten', 'Rechts'],
  deleteTable: 'Tabelle löschen',

  sourceOn: 'HTML-Quelltext. Die anderen Werkzeuge sind aus.',
  sourceOff: 'Zurück im Text. „Rückgängig“ nimmt zurück, was im Quelltext geändert wurde.',
  fullScreenOn: 'Vollbild. Escape verlässt es.',
  fullScreenOff: 'Vollbild aus',
  findLabel: 'Im Text suchen',
  replaceLabel: 'Ersetzen durch',
  findNext: 'Nächste Stelle',
  findPrevious: 'Vorige Stelle',
  findClose: 'Suche schließen',
  matchCase: 'Groß und klein unterscheiden',
  replace: 'Ersetzen',
  replaceAll: 'Alle ersetzen',
  matchCount: (at, of) => (of === 0 ? 'Nichts gefunden' : `${count(at)} von ${count(of)}`),
  replaced: (value) => (value === 1 ? 'Eine Stelle ersetzt' : `${count(value)} Stellen ersetzt`),
  outlineEmpty: 'Hier stehen die Überschriften des Textes.',
  outlineClose: 'Gliederung schließen',
  untitledHeading: 'Überschrift ohne Wörter',
};
