/** What is said about a lost password, an address to be verified and a second factor. In every language. */

import { faultOf, kindOf } from '../errors.ts';
import { cannotMail } from '../mail-fault.ts';
import { errorText, wordsFor } from '../messages.ts';
import de from './de/recovery.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  forgotTitle: 'Forgot your password?',
  forgotHelp: 'Say which address you sign in with. A mail with a link comes to it, if there is such an account.',
  email: 'Email',
  sendLink: 'Send link',
  sending: 'Sending…',
  sent: 'If {email} has an account, a mail is on its way. Its link holds for an hour. Look among the unwanted mail, too.',
  noMail: 'This site sends no mail. Ask its owner for a one-time link.',
  remembered: 'Do you know it after all?',
  signIn: 'Sign in',
  resetTitle: 'Choose a new password',
  newPassword: 'New password',
  confirmPassword: 'Confirm the new password',
  save: 'Save password',
  saving: 'Saving…',
  saved: 'Your password is changed, and you are signed out everywhere. Sign in with the new one.',
  firstProof: 'If your address had never been confirmed before, a second factor that was set up has ended, too.',
  wrongLink: 'This link was used already, or does not hold any more.',
  anotherLink: 'Ask for another link',
  wrongVerification:
    'This link was used already, or does not hold any more. Your account says whether the address is verified, and sends another one.',
  verifyTitle: 'Verify your address',
  verifying: 'One moment…',
  verified: 'Your address is verified.',
  verifySignedIn:
    'Sign in to the account that asked for this mail, then open its link again. If you did not ask for it, ignore the mail.',
  toAccount: 'To your account',
  verify: 'Verify this address',
  verifySent: 'A mail with a link is on its way to {email}.',
  isVerified: 'It is verified.',
  isNotVerified: 'It is not verified yet.',
  verifyNoMail: 'This site sends no mail, so addresses cannot be verified.',
  factor: 'Second factor',
  factorHelp: 'Beside your password, signing in then takes a code from an app on your phone.',
  factorOn: 'The second factor is on.',
  factorOff: 'The second factor is off.',
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  scan: 'Scan this with an authenticator app, or type the key into it. Then type the code that it shows.',
  qrCode: 'The key as a QR code',
  key: 'Key',
  code: 'Code',
  codeHelp: 'Six digits from your authenticator app.',
  confirm: 'Confirm',
  codes: 'Your recovery codes',
  codesHelp:
    'Each signs you in once when the phone is lost. Keep them where the phone is not. They are shown only now.',
  copyCodes: 'Copy',
  codesCopied: 'Copied.',
  saveCodes: 'Save as a file',
  codesFile: 'recovery-codes.txt',
  codesOf: 'Recovery codes for {site}. Each holds once.',
  codesKept: 'I have kept them',
  newCodes: 'New recovery codes',
  codeTitle: 'One more step',
  codeQuestion: 'Type the code that your authenticator app shows.',
  recoveryQuestion: 'Type one of your recovery codes. It holds once.',
  recoveryCode: 'Recovery code',
  useRecovery: 'Use a recovery code instead',
  useApp: 'Use the app instead',
  lostBoth: 'Both lost? Whoever runs the site can help.',
  goOn: 'Sign in',
  cancel: 'Cancel',
  wrongCode: 'That code is not right. Wait for the next one and try again.',
  wrongRecoveryCode: 'That code is not right, or was used already.',
  tooManyCodes: 'Too many codes were tried. Use a recovery code, or try again later.',
  codeRequired: 'Type the code.',
  failed: 'It could not be done. Please try again.',
} as const;

export const recoveryText = textsOf(en, de);

/** Words for a link or a code that was refused, or whatever else went wrong. */
export function recoveryMessage(
  error: unknown,
  refused: string = recoveryText.wrongLink,
  tooMany: string = errorText.tooManyAttempts,
): string {
  if (kindOf(error) === 'too-many-requests') return tooMany;
  if (cannotMail(error)) return recoveryText.verifyNoMail;
  const { type } = faultOf(error);
  if (type === 'user_invalid_token' || type === 'user_not_found') return refused;
  return wordsFor(error, recoveryText.failed);
}
