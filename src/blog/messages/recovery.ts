import { faultOf, kindOf } from '../errors.ts';
import { cannotMail } from '../mail-fault.ts';
import { errorText, wordsFor } from '../messages.ts';
import de from './de/recovery.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  forgotTitle: 'Forgot your password?',
  forgotHelp: 'Enter the address you sign in with. If it has an account, we’ll send it a link.',
  email: 'Email',
  sendLink: 'Send link',
  sending: 'Sending…',
  sent: 'If {email} has an account, an email is on its way. Its link works for an hour. Check your spam folder, too.',
  noMail: 'This site doesn’t send email. Ask its owner for a one-time link.',
  remembered: 'Remembered it?',
  signIn: 'Sign in',
  resetTitle: 'Choose a new password',
  newPassword: 'New password',
  confirmPassword: 'Confirm the new password',
  save: 'Save password',
  saving: 'Saving…',
  saved: 'Your password has been changed and you’re signed out everywhere. Sign in with the new one.',
  firstProof: 'If your address had never been verified, any second factor on the account was removed, too.',
  wrongLink: 'This link has expired or was already used.',
  anotherLink: 'Ask for another link',
  wrongVerification:
    'This link has expired or was already used. Your account page shows whether the address is verified, and can send a new link.',
  verifyTitle: 'Verify your address',
  verifying: 'One moment…',
  verified: 'Your address is verified.',
  verifySignedIn:
    'Sign in to the account that requested this email, then open its link again. If you didn’t request it, ignore it.',
  toAccount: 'Go to your account',
  verify: 'Verify this address',
  verifySent: 'An email with a link is on its way to {email}.',
  isVerified: 'It is verified.',
  isNotVerified: 'It is not verified yet.',
  verifyNoMail: 'This site doesn’t send email, so addresses can’t be verified.',
  factor: 'Second factor',
  factorHelp: 'Signing in will take your password and a code from an app on your phone.',
  factorOn: 'The second factor is on.',
  factorOff: 'The second factor is off.',
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  scan: 'Scan this with an authenticator app, or type the key into it. Then type the code it shows.',
  qrCode: 'The key as a QR code',
  key: 'Key',
  code: 'Code',
  codeHelp: 'Six digits from your authenticator app.',
  confirm: 'Confirm',
  codes: 'Your recovery codes',
  codesHelp: 'Each code signs you in once if you lose your phone. Keep them somewhere else. They’re shown only now.',
  copyCodes: 'Copy',
  codesCopied: 'Copied.',
  saveCodes: 'Save as a file',
  codesFile: 'recovery-codes.txt',
  codesOf: 'Recovery codes for {site}. Each code works once.',
  codesKept: 'I’ve saved them',
  newCodes: 'New recovery codes',
  codeTitle: 'One more step',
  codeQuestion: 'Type the code your authenticator app shows.',
  recoveryQuestion: 'Type one of your recovery codes. Each code works once.',
  recoveryCode: 'Recovery code',
  useRecovery: 'Use a recovery code instead',
  useApp: 'Use the app instead',
  lostBoth: 'Lost both? The site’s operator can help.',
  goOn: 'Sign in',
  cancel: 'Cancel',
  wrongCode: 'That code isn’t right. Wait for the next one and try again.',
  wrongRecoveryCode: 'That code isn’t right or was already used.',
  tooManyCodes: 'Too many codes were tried. Use a recovery code, or try again later.',
  codeRequired: 'Type the code.',
  failed: 'That didn’t work. Please try again.',
} as const;

export const recoveryText = textsOf(en, de);

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
