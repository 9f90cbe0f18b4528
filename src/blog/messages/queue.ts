import de from './de/queue.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  inLine: 'Queued. It will be sent when you’re back online.',
  inLineHelp:
    'The post and its pictures are kept on this device. You can close this page: open any page for writers here later, and it will be sent.',
  keepWriting: 'Keep writing',
  waiting: 'Queued. It will be sent when you’re back online.',
  sending: 'Sending…',
  signIn: 'Sign in to send it',
  conflict: 'Changed elsewhere in the meantime.',
  compare: 'Compare',
  compareOf: 'Compare “{title}”',
  open: 'Open it',
  openOf: 'Open “{title}”',
  openTaken: 'Open and choose another address',
  openTakenOf: 'Open “{title}” and choose another address',
  cancel: 'Cancel',
  cancelOf: 'Don’t send “{title}”',
  sendNow: 'Send now',
  sendNowOf: 'Send “{title}” now',
  cancelled: '“{title}” is a draft again.',
  taken: 'Not sent: another post has this address.',
  refused: 'Not sent: {reason}',
  gone: 'The post was deleted in the meantime. Your text is kept here as a new post.',
  published: '“{title}” was published.',
  saved: '“{title}” was saved.',
  stopped: '“{title}” could not be sent and needs your attention.',
  seeList: 'See your posts',
} as const;

export const queueText = textsOf(en, de);
