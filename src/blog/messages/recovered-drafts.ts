import de from './de/recovered-drafts.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  keptOfMissing: 'This device has unsaved text for this post. You can turn it into a new post.',
  label: 'Unsaved text',
  today: 'today at {time}',
  on: 'on {day} at {time}',
  changes: 'This device has unsent changes to this post, saved {when}.',
  titled: '“{title}” was saved on this device {when} and not sent.',
  untitled: 'A post without a title was saved on this device {when} and not sent.',
  sent: '“{title}” is already on the site. The copy on this device is the same.',
  otherTab: 'This post is open in another tab, with changes saved {when}.',
  outdated: 'The post was changed after this copy was started. Compare both before you choose.',
  compare: 'What differs',
  copy: 'this copy',
  site: 'the version on the site',
  restore: 'Restore',
  discard: 'Discard',
  keepSite: 'Keep the site’s version',
  takeOver: 'Use them here',
  ignore: 'Not now',
  discarded: 'The copy was discarded.',
  undo: 'Undo',
  restored: 'This text is now in the form.',
} as const;

export const recoveredDraftText = textsOf(en, de);
