import de from './de/versions.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'Title',
  status: 'Status',
  picture: 'Featured Image',
  tags: 'Tags',
  publishAt: 'Publish at',
  unpublishAt: 'Take down at',
  excerpt: 'Excerpt',
  language: 'Language',
  featuredImageAlt: 'Alternative text',
  active: 'Active',
  inactive: 'Inactive',
  noPicture: 'No picture',
  pictureGone: 'The picture no longer exists',
  removed: 'removed:',
  added: 'added:',
  onlyBefore: 'Struck out: only in {version}',
  onlyAfter: 'Underlined: only in {version}',
  changed: 'Changed',
  onlyIn: 'Only in {version}',
  unchanged: { one: 'One block is the same', other: '{count} blocks are the same' },
  nothing: 'The two versions are the same.',
  sameWords: 'The words are the same; the HTML differs:',
  pictureNamed: 'Picture: {description}',
  pictureUnnamed: 'Picture without a description',
  serverVersion: 'the version on the server',
  yourVersion: 'your version',

  conflictTitle: 'Two versions of this post',
  conflict:
    'This post was saved elsewhere ({moment}) after you opened it. Keep one of the two versions, or choose part by part. Nothing is published until you press Update.',
  choose: 'Use',
  theirs: 'the server’s',
  mine: 'mine',
  both: 'both',
  take: 'this part',
  leaveOut: 'leave it out',
  keepTheirs: 'Keep the server’s',
  keepMine: 'Keep mine',
  useMerged: 'Use the choice',
  undecided: {
    one: 'One part is undecided: choose.',
    other: '{count} parts are undecided: choose.',
  },
  inForm: {
    mine: 'Your version stays in the form. Press Update to publish it in place of the one on the server.',
    theirs: 'The server’s version is in the form.',
    merged: 'What you chose is in the form. Press Update to publish it.',
  },
  putBack: 'Put back what was there',

  versionsTitle: 'Former versions',
  versionsHelp:
    'The last 50 are kept, and only you can see them. Restoring one puts its title, text and picture into the form; press Update to publish it.',
  versionsNone: 'None yet. A version is kept each time you change the post.',
  versionsUnavailable:
    'This site’s backend doesn’t keep former versions. Its operator can add the collection with npm run provision.',
  versionOf: 'the version of {moment}',
  words: { one: '1 word', other: '{count} words' },
  ofHtml: '{kilobytes} kB of HTML',
  size: '{kilobytes} kB',
  restore: 'Restore this version',
  restored: 'The version of {moment} is in the form. Press Update to publish it.',

  source: 'HTML source',
  sourceHelp: 'The stored HTML. What you don’t change stays exactly as it is.',
  sourceKept: 'All of it will be kept.',
  sourceLost: 'Will be removed:',
  loss: {
    whole: '{name} and everything in it',
    tag: '{name}, but not its content',
    attribute: '{name} on {element}',
  },

  previewTitle: 'Preview',
  previewWidth: 'Width of the preview',
  phone: 'Phone',
  desktop: 'Desktop',

  close: 'Close',
  loading: 'Loading...',
} as const;

export const versionText = textsOf(en, de);
