/** Messages of the dialog that shares a draft, in every language. They are loaded lazily, with it. */

import de from './de/draft-links.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'Share this draft',
  help: 'Whoever has the link sees the post as it is saved, without an account.',
  holds: 'The link holds for',
  times: { day: 'A day', week: 'A week', month: 'A month' },
  make: 'Make a link',
  makeAnother: 'Make another link',
  replaces: 'Another link takes the place of this one.',
  link: 'Link',
  until: 'It holds until {time}.',
  copy: 'Copy',
  copied: 'Copied.',
  takeBack: 'Take back',
  takenBack: 'The link was taken back: it shows nothing any more.',
  close: 'Close',
  unavailable: 'This site cannot make links to drafts: ask its operator.',
} as const;

export const draftLinkText = textsOf(en, de);
