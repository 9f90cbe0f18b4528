import de from './de/synced-files.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  label: 'File in a folder',
  kept: 'This post is kept in a folder: {path}.',
  equal: 'Last synced {time}.',
  justNow: 'Last synced just now.',
  settled: 'The next sync writes this post into the file.',
  conflict: 'The file {path} and this post were changed in the same place. Choose what stays.',
  compare: 'Compare with the file',
  keepPost: 'Keep this post',
  comparing:
    'Choose part by part, or keep one version. Once you press Update, the next sync writes the post into {path}. The file’s version stays among the former versions.',
  changedAgain: 'The file has changed again. Reload the page to see how.',
  tooLong:
    'The file’s version is too long to compare here. Resolve the conflict in the file: keep one version and delete the marks.',
  notKept:
    'The file’s version could not be added to the former versions. Resolve the conflict in the file: keep one version and delete the marks.',
  dialog: {
    serverVersion: 'the file',
    theirs: 'the file’s',
    keepTheirs: 'Keep the file’s',
    inForm: {
      mine: 'Your version stays in the form. Press Update: the next sync writes it into the file.',
      theirs: 'The file’s version is in the form. Press Update to publish it.',
      merged: 'What you chose is in the form. Press Update to publish it.',
    },
  },
} as const;

export const syncedFileText = textsOf(en, de);
