import { ApiError, faultOf } from '../errors.ts';
import { errorText, listText, wordsFor } from '../messages.ts';
import de from './de/passkeys.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  title: 'Passkeys',
  help: 'Sign in with your fingerprint, your face or your device’s PIN. A passkey can’t be guessed, and it can’t be used on a fake site.',
  none: 'You don’t have a passkey yet.',
  asked: 'The site’s owner asks you to add a passkey, because you can change other people’s posts.',
  add: 'Add a passkey',
  addHelp: 'Next, your device asks for your fingerprint, face or PIN.',
  name: 'Name',
  nameHelp: 'To tell your passkeys apart.',
  anyName: 'Passkey',
  added: '“{name}” was added.',
  addedOn: 'added on {day}',
  usedOn: 'last used on {day}',
  unused: 'never used',
  otherHost: 'It works only at {host}.',
  isCloned: 'A copy of it was used, so it no longer works. Remove it.',
  isUnproven: 'It was made before your address was verified and no longer works. Remove it.',
  rename: 'Rename',
  renameOf: 'Rename {name}',
  renamed: 'The passkey is now called “{name}”.',
  remove: 'Remove',
  removeOf: 'Remove {name}',
  removeQuestion: 'It will no longer sign you in. Your device may go on offering it until you delete it there, too.',
  removed: '“{name}” was removed.',
  save: 'Save',
  working: 'One moment…',
  cancel: 'Cancel',
  signIn: 'Sign in with a passkey',
  signUp: 'Sign up with a passkey instead of a password',
  usePassword: 'Use the password',
  isProof: 'Your passkey confirms that it’s you.',
  useOne: 'Use a passkey',
  factorAlone: 'Switch on with a passkey',
  givesCodes: 'If you sign in with a passkey, you don’t need a code.',
  noCodes: 'Your passkeys can’t give the code. Type it instead.',
  notKept: 'The second factor is on, but you’ll have to type its code, even with a passkey.',
  removePassword: 'Remove password',
  removePasswordHelp:
    'You then sign in with your passkeys alone. If you lose them all, “Forgot your password?” lets you back in.',
  passwordRemoved: 'Your password was removed. From now on, sign in with a passkey.',
  noPassword: 'You have none: you sign in with a passkey. Setting one signs out every other device.',
  setPassword: 'Set a password',
  passwordSet: 'Your password was set.',
  offerTitle: 'Sign in without your password',
  offer: 'With a passkey, your fingerprint, face or PIN is enough next time.',
  notNow: 'Not now',
  dontAsk: 'Don’t ask again',
  cancelled: 'No passkey was used. Try again, or go on without one.',
  existing: 'This device already has a passkey for your account.',
  unsupported: 'This device or browser can’t use passkeys here.',
  expired: 'That took too long. Try again.',
  cloned:
    'A copy of this passkey was used, so it no longer works. Sign in another way, then remove it from your account.',
  unproven: 'This passkey was added before your address was verified, so it no longer works. Sign in another way.',
  unknown: 'This passkey doesn’t work here. Use another one, or sign in another way.',
  otherUser: 'This passkey belongs to another account.',
  lastOne: 'Set a password or add another passkey first.',
  tooMany: 'You have as many passkeys as an account can have. Remove one first.',
  wrongPassword: 'That’s not your current password.',
  proofNeeded: 'You signed in a while ago. Confirm that it’s you.',
  failed: 'That didn’t work. Please try again.',
} as const;

export const passkeyText = textsOf(en, de);

/** Maps the server's error codes to keys of `passkeyText`. */
const REFUSALS = {
  'passkey-expired': 'expired',
  'passkey-cloned': 'cloned',
  'passkey-unknown': 'unknown',
  'passkey-unproven': 'unproven',
  'last-passkey': 'lastOne',
  'too-many-passkeys': 'tooMany',
  'wrong-password': 'wrongPassword',
  'proof-needed': 'proofNeeded',
  'no-code': 'noCodes',
  'other-user': 'otherUser',
} as const;

/** Maps the names of the browser's `DOMException`s to keys of `passkeyText`. */
const BROWSER_FAULTS = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'existing',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
  SecurityError: 'unsupported',
  UnknownError: 'failed',
} as const;

/** Returns a message for an error about a passkey, and undefined for any other error. */
export function passkeyFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const key =
    error instanceof ApiError
      ? REFUSALS[error.message as keyof typeof REFUSALS]
      : BROWSER_FAULTS[error.name as keyof typeof BROWSER_FAULTS];
  return key && passkeyText[key];
}

export function passkeyMessage(error: unknown): string {
  const { code } = faultOf(error);
  if (code === 429) return errorText.tooManyAttempts;
  const fault = passkeyFault(error);
  if (fault) return fault;
  if (!(error instanceof ApiError)) return wordsFor(error, passkeyText.failed);
  if (code === 0) return errorText.unreachable;
  return code === 401 ? listText.sessionEnded : passkeyText.failed;
}
