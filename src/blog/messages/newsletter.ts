import { faultOf } from '../errors.ts';
import type { IssueState, Rhythm, SubscriberState } from '../newsletter/newsletter.ts';
import de from './de/newsletter.json' with { type: 'json' };
import { textsOf } from './language.ts';
import { peopleMessage } from './people.ts';

export const en = {
  addressRequired: 'Enter an email address.',
  addressInvalid: 'Enter an address such as name@example.com.',
  addressTooLong: 'An email address has at most {most} characters.',
  contactRequired: 'Enter a postal address or another way to reach you.',

  emailAddress: 'Email address',
  subscribe: 'Subscribe',
  subscribeTitle: 'Get new posts by email',
  subscribeHelp: 'Enter your address. You’ll get an email with a link to confirm it.',
  waitTitle: 'One moment',
  waitHelp: 'This page continues by itself in three seconds.',
  waitContinue: 'Continue',
  sentTitle: 'Check your mail',
  sentHelp:
    'Open the link in the email we’ve sent you to confirm your address; it works for a week. Nothing there? Look in your spam folder. If you’re already subscribed, there’s nothing left to do.',
  proofExpired: 'That took too long. Enter your address again.',
  offTitle: 'There’s no newsletter here',
  offHelp: 'This site doesn’t send posts by email at the moment.',
  confirmTitle: 'Confirm your subscription',
  confirmHelp: 'New posts from {site} will be sent to {address}.',
  confirmedTitle: 'You are subscribed',
  confirmedHelp: 'New posts will be sent to {address}. Every email has a link to unsubscribe.',
  manageTitle: 'Your subscription',
  manageHelp: 'New posts from {site} are sent to {address}.',
  unsubscribe: 'Unsubscribe',
  changeTitle: 'Use another address',
  change: 'Change',
  changedHelp: 'Open the link in the email we’ve sent to {address}. Until then, nothing changes.',
  leftTitle: 'You are unsubscribed',
  leftHelp: 'You won’t get any more posts from {site} by email.',
  badLinkTitle: 'This link doesn’t work',
  unknownLink: 'Did you copy the whole address?',
  expiredLink: 'It has expired or was already used.',
  tooManyTitle: 'Too many attempts',
  tooManyHelp: 'Wait a few minutes and try again.',
  failedTitle: 'That didn’t work',
  failedHelp: 'Try again in a moment.',

  newsletter: 'Newsletter',
  needsMail:
    'This site can’t send email yet. Its operator has to set SMTP_HOST and MAIL_FROM and start the server again.',
  isOff: 'The newsletter is off: the box in the footer does nothing.',
  rhythm: 'What is sent',
  rhythms: {
    each: 'Each post by itself',
    daily: 'A digest every day',
    weekly: 'A digest every week',
    monthly: 'A digest every month',
  } as Record<Rhythm, string>,
  off: 'Nothing (off)',
  rhythmHelp: 'Only posts with “Send to subscribers” ticked are sent.',
  contact: 'Contact line',
  contactHelp: 'Shown at the end of every email. Most countries require a postal address here.',
  delay: 'Minutes to wait after publishing',
  delayHelp: 'Time to correct a post, or to unpublish it before it’s sent.',
  perMinute: 'Emails per minute',
  perHour: 'Emails per hour at most',
  perDay: 'Emails per day at most',
  rateHelp: 'Your mail provider’s limits. Leave empty for no limit.',
  saved: 'Saved.',

  subscribers: 'Subscribers',
  states: {
    active: 'Subscribed',
    resting: 'Paused after failed deliveries',
    left: 'Unsubscribed',
  } as Record<SubscriberState, string>,
  growth: 'Subscribers from {first} to {last}: {before} before, {after} now.',
  list: 'List of subscribers',
  search: 'Search addresses',
  none: 'No subscribers found.',
  sources: { form: 'signed up', import: 'imported', added: 'added by an owner' },
  sinceFrom: '{state}, {source} on {day}',
  remove: 'Remove…',
  removeOf: 'Remove {address}',
  removeTitle: 'Remove {address}?',
  removeQuestion: 'Everything stored about this address will be deleted. They can subscribe again later.',
  removeConfirm: 'Remove',
  removed: '{address} was removed.',
  add: 'Add a subscriber',
  addHelp: 'They’ll get an email and have to confirm it.',
  addSubmit: 'Send confirmation',
  added: 'A confirmation is on its way to {address}.',
  notAdded: '{address} is on the list already, unsubscribed earlier, or was asked three times today.',
  exportAll: 'Export as CSV',
  importTitle: 'Import subscribers',
  importFile: 'CSV file',
  importHelp:
    'Exports from Ghost, Substack and Buttondown, or any list with a column named “email”. Import only people who agreed to get your newsletter: they aren’t asked again.',
  importSubmit: 'Import',
  importing: 'Importing…',
  noFile: 'Choose a CSV file first.',
  fileTooLarge: 'Choose a file of at most {most} MB.',
  tooManyRows: 'Import at most {most} addresses at once.',
  noAddresses: 'This file is not a CSV file with a column named “email”.',
  imported: '{added} added, {known} already here, {left} left out because they unsubscribed, {invalid} invalid.',

  issues: 'Sent',
  noIssues: 'Nothing has been sent yet.',
  issueStates: {
    waiting: 'Waiting',
    sending: 'Being sent',
    paused: 'Paused',
    done: 'Sent',
    cancelled: 'Stopped',
  } as Record<IssueState, string>,
  digest: 'Digest of {count} posts',
  emptyDigest: 'Digest',
  dueAt: 'to be sent on {time}',
  sentCount: { one: 'One email', other: '{count} emails' },
  failedCount: { one: 'one failed', other: '{count} failed' },
  fault: '{count} × {words} ({reason})',
  faults: {
    mailbox: 'address doesn’t exist',
    full: 'mailbox full or unavailable',
    policy: 'rejected by the recipient’s mail server',
    later: 'temporarily refused, even after several attempts',
    other: 'not delivered',
  },
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop…',
  stopTitle: 'Stop sending?',
  stopQuestion: 'The remaining subscribers won’t get “{title}”. This can’t be undone.',
  stopConfirm: 'Stop sending',

  previewMail: 'Preview the email',
  previewHelp: 'Shows the post as it was last saved.',
  sendTest: 'Send me a test',
  testSent: 'A test is on its way to your address.',
  testFailed: 'The test couldn’t be sent. Save the post first.',
} as const;

export const newsletterText = textsOf(en, de);

/** Explains the SMTP error of a failed delivery. The error may contain an enhanced status code (RFC 3463). */
export function faultWords(reason: string): string {
  const { faults } = newsletterText;
  if (/\b[45]\.2\.\d+\b/.test(reason)) return faults.full;
  if (/\b5\.7\.\d+\b/.test(reason)) return faults.policy;
  if (/\b5\.1\.\d+\b/.test(reason) || /\b55[013]\b/.test(reason)) return faults.mailbox;
  if (/\b55\d\b/.test(reason)) return faults.policy;
  return /\b4\d\d\b/.test(reason) ? faults.later : faults.other;
}

export function newsletterMessage(error: unknown): string {
  const { code, message } = faultOf(error);
  if (code === 409 || code === 413) return message;
  return message === 'no-addresses' ? newsletterText.noAddresses : peopleMessage(error);
}
