import de from './de/draft-links.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'Share this draft',
  help: 'Anyone with the link can read the saved post, without an account.',
  holds: 'The link works for',
  times: { day: 'A day', week: 'A week', month: 'A month' },
  make: 'Make a link',
  makeAnother: 'Make another link',
  replaces: 'A new link replaces this one.',
  link: 'Link',
  until: 'It works until {time}.',
  copy: 'Copy',
  copied: 'Copied.',
  takeBack: 'Revoke',
  takenBack: 'The link was revoked and no longer works.',
  close: 'Close',
  unavailable: 'This site can’t create links to drafts. Ask its operator.',
} as const;

export const draftLinkText = textsOf(en, de);
