/** Texts of the import on the owner's page. The importer's own notes on entries are English only. */

import { ApiError } from '../errors.ts';
import type { ImportOutcome } from '../import.ts';
import de from './de/import.json' with { type: 'json' };
import { textsOf } from './language.ts';
import { peopleMessage } from './people.ts';

export const en = {
  title: 'Import',
  help: 'Posts from WordPress, Ghost, Medium, Substack, Blogger, Hashnode, dev.to, from a feed or a folder of Markdown. Upload the export file as you downloaded it.',
  file: 'Exported file',
  fileHelp: 'A zip, XML or JSON file of at most 1 GB.',
  noFile: 'Choose the exported file first.',
  emptyFile: 'This file is empty.',
  oldSite: 'Address of the old site (optional)',
  oldSiteHelp: 'Links to it become links between the posts, and its pictures are fetched.',
  oldSiteWrong: 'Enter an address such as https://blog.example.com.',
  whose: 'Who owns the posts',
  mine: 'Mine',
  mineHelp: 'You can reassign each of them later.',
  theirs: 'The people who wrote them',
  theirsHelp: 'Matched by email address. Everyone else gets an account without a password.',
  look: 'Preview first',
  lookHelp: 'Nothing is imported yet. You’ll see what would happen to each post.',
  sending: 'Uploading the file…',
  reading: 'Reading the file. Nothing is changed yet.',
  importing: 'Importing posts…',
  keepOpen: 'Keep this page open until the upload finishes.',
  mayLeave: 'You can leave this page and come back.',
  ending: 'Stopping after the current post.',
  progress: '{done} of {all} read',
  begins: 'Reading…',
  percent: '{percent} % sent',
  cancel: 'Cancel',
  leftUnfinished: 'The upload of {name} wasn’t finished.',
  wouldTitle: 'What an import would do',
  doneTitle: 'Imported',
  cancelledTitle: 'Stopped before it finished',
  cancelledHelp: 'Everything counted here was imported. Run the import again to continue.',
  failedTitle: 'Import failed',
  failedHelp: 'This is what the importer said:',
  importNow: 'Import now',
  goOn: 'Go on importing',
  otherFile: 'Another file',
  download: 'Download the whole report',
  list: 'Notes on individual posts',
  more: 'The {shown} most important. The report has all of them.',
  inEnglish: '',
  lossesWould: 'Not everything would be imported. The affected posts are listed below.',
  lossesDone: 'Not everything was imported. The affected posts are listed below.',
  lost: 'Not imported:',
  inPosts: 'In {count} posts:',
  would: {
    taken: { one: 'One post would be created', other: '{count} posts would be created' },
    updated: { one: 'One would be changed', other: '{count} would be changed' },
    unchanged: { one: 'One is here already', other: '{count} are here already' },
    skipped: { one: 'One would be left out', other: '{count} would be left out' },
    failed: { one: 'One can’t be imported', other: '{count} can’t be imported' },
    pictures: { one: 'One picture', other: '{count} pictures' },
    lossy: { one: 'One would lose something', other: '{count} would lose something' },
  },
  were: {
    taken: { one: 'One post was created', other: '{count} posts were created' },
    updated: { one: 'One was changed', other: '{count} were changed' },
    unchanged: { one: 'One was here already', other: '{count} were here already' },
    skipped: { one: 'One was left out', other: '{count} were left out' },
    failed: { one: 'One couldn’t be imported', other: '{count} couldn’t be imported' },
    pictures: { one: 'One picture', other: '{count} pictures' },
    lossy: { one: 'One lost something', other: '{count} lost something' },
  },
  nothing: 'It contains no posts.',
  outcomes: {
    taken: 'new',
    updated: 'changed',
    unchanged: 'unchanged',
    skipped: 'left out',
    failed: 'not imported',
  } as Record<ImportOutcome, string>,
  busy: 'Another import is running. Wait until it finishes.',
  tooLarge: 'The file is larger than 1 GB. Import it with “npm run import” on the server.',
  noRoom: 'The server doesn’t have enough space for this file.',
  gone: 'The server no longer has this file. Choose it again.',
  interrupted: 'The upload was incomplete. Send the file again.',
  onlyOwners: 'Only owners of the site can import.',
  notHere: 'This server can’t import. Ask its operator.',
} as const;

export const importText = textsOf(en, de);

const REFUSALS: Readonly<Record<string, string>> = {
  busy: importText.busy,
  'too-large': importText.tooLarge,
  'no-room': importText.noRoom,
  gone: importText.gone,
  'wrong-offset': importText.interrupted,
  'not-allowed': importText.onlyOwners,
};

export function importMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return peopleMessage(error);
  if (error.code === 403 && error.message !== 'not-allowed') return importText.notHere;
  return REFUSALS[error.message] ?? peopleMessage(error);
}
