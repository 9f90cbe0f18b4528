import { expect, it } from 'vitest';
import { type Mail, mailLink, oneLine, renderMail } from './mail.ts';
import { type MailKind, mailLanguage } from './texts.ts';

const SUBJECTS: Record<MailKind, string> = {
  recovery: 'Password Reset for Ink',
  verification: 'Account Verification for Ink',
  otp: 'OTP for Ink Login',
  'magic-url': 'Ink Login',
  invitation: 'Invitation to Editors Team at Ink',
  mfa: 'Verification Code for Ink',
};
const KINDS = Object.keys(SUBJECTS) as MailKind[];
const LINK = 'https://blog.example.com/in?userId=ann&secret=abc';

const mail = (kind: MailKind, more: Partial<Mail> = {}): Mail => ({
  kind,
  language: 'en',
  to: { address: 'ann@example.com' },
  ...(kind === 'otp' || kind === 'mfa' ? { code: '012345' } : { link: LINK }),
  ...more,
});

const MAILS = KINDS.flatMap((kind) => [[kind, 'en'] as const, [kind, 'de'] as const]);
it.each(MAILS)('has its subject, link or code in both parts and nothing remote (%s, %s)', (kind, language) => {
  const { subject, text, html } = renderMail(mail(kind, { language, team: 'Editors' }), 'Ink');
  expect(`${subject}${text}${html}`).not.toMatch(/\{|undefined/);
  if (language === 'en') expect(subject).toBe(SUBJECTS[kind]);
  const own = kind === 'otp' || kind === 'mfa' ? '012345' : LINK;
  expect(text.split('\n')).toContain(own);
  expect(html).toContain(own.replaceAll('&', '&amp;'));
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).not.toMatch(/<img|<script|<link|url\(|src=/i);
  // Leaves the background to the email client, which may use a light or a dark one.
  expect(/<body[^>]*>/.exec(html)?.[0]).not.toMatch(/color|background/);
});

it('shows a team’s name as text on one line', () => {
  const { subject, html } = renderMail(mail('invitation', { team: '<b>A</b>\r\nBcc: x{code}' }), 'Ink');
  expect(subject).toBe('Invitation to <b>A</b> Bcc: x{code} Team at Ink');
  expect(html).not.toContain('<b>');
});

it.each([
  ['a\r\nb', 'a b'],
  ['\u202Eevil\u0000', 'evil'],
  ['x'.repeat(200), 'x'.repeat(128)],
])('puts %j on one line: %j', (name, line) => expect(oneLine(name)).toBe(line));

it.each([
  ['https://a.test', 'https://a.test?x=1+2&y=%26'],
  ['https://a.test/?q#f', 'https://a.test/?q&x=1+2&y=%26#f'],
  ['https://a.test/#f?g', 'https://a.test/?x=1+2&y=%26#f?g'],
])('adds parameters to %s', (url, link) => expect(mailLink(url, { x: '1 2', y: '&' })).toBe(link));

it.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['fr', 'en'],
  ['den', 'en'],
])('reads the locale %s as %s', (locale, language) => expect(mailLanguage(locale)).toBe(language));
