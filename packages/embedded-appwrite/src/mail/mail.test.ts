import { describe, expect, it } from 'vitest';
import { mailLink } from './link.ts';
import { type Mail, oneLine, renderMail } from './mail.ts';
import type { MailKind } from './texts.ts';
import { mailLanguage } from './texts.ts';

const KINDS: MailKind[] = ['recovery', 'verification', 'otp', 'magic-url', 'invitation', 'mfa'];
const LINK = 'https://blog.example.com/in?userId=ann&secret=abc';

const mail = (kind: MailKind, more: Partial<Mail> = {}): Mail => ({
  kind,
  language: 'en',
  to: { address: 'ann@example.com' },
  ...(kind === 'otp' || kind === 'mfa' ? { code: '012345' } : { link: LINK }),
  ...more,
});

describe.each(KINDS)('a mail (%s)', (kind) => {
  it.each(['en', 'de'] as const)(
    'holds what it is for in both parts (%s), and asks nobody for anything',
    (language) => {
      const { subject, text, html } = renderMail(mail(kind, { language, team: 'Editors' }), 'Ink');
      expect(`${subject}${text}${html}`).not.toMatch(/\{|undefined/);
      expect(subject).toContain('Ink');
      const own = kind === 'otp' || kind === 'mfa' ? '012345' : LINK;
      expect(text.split('\n')).toContain(own);
      expect(html).toContain(own.replaceAll('&', '&amp;'));
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).not.toMatch(/<img|<script|<link|url\(|src=/i);
    },
  );
});

it('is read on the ground of the mail program, light or dark', () => {
  const { html } = renderMail(mail('recovery'), 'Ink');
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(/<body[^>]*>/.exec(html)?.[0]).not.toMatch(/color|background/);
});

it('subjects are those that the contract names', () => {
  const subjects = KINDS.map((kind) => renderMail(mail(kind, { team: 'Editors' }), 'Ink').subject);
  expect(subjects).toEqual([
    'Password Reset for Ink',
    'Account Verification for Ink',
    'OTP for Ink Login',
    'Ink Login',
    'Invitation to Editors Team at Ink',
    'Verification Code for Ink',
  ]);
});

it('a name of a team is text on one line', () => {
  const { subject, html } = renderMail(mail('invitation', { team: '<b>A</b>\r\nBcc: x{code}' }), 'Ink');
  expect(subject).toBe('Invitation to <b>A</b> Bcc: x{code} Team at Ink');
  expect(html).not.toContain('<b>');
});

it('the phrase is there where one was asked for', () => {
  const { text, html } = renderMail(mail('otp', { phrase: 'Golden otter' }), 'Ink');
  for (const part of [text, html]) expect(part).toContain('Golden otter');
});

it.each([
  ['a\r\nb', 'a b'],
  ['\u202Eevil\u0000', 'evil'],
  ['x'.repeat(200), 'x'.repeat(128)],
])('%j on one line is %j', (name, line) => expect(oneLine(name)).toBe(line));

it.each([
  ['https://a.test', 'https://a.test?x=1+2&y=%26'],
  ['https://a.test/?q#f', 'https://a.test/?q&x=1+2&y=%26#f'],
  ['https://a.test/#f?g', 'https://a.test/?x=1+2&y=%26#f?g'],
])('parameters go into %s', (url, link) => expect(mailLink(url, { x: '1 2', y: '&' })).toBe(link));

it.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['fr', 'en'],
  ['den', 'en'],
])('the locale %s is %s', (locale, language) => expect(mailLanguage(locale)).toBe(language));
