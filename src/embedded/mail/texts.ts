/** What mails say, by language. `{project}`, `{code}` and `{team}` stand for those names. */
import type { MailKind } from './mail.ts';

export interface MailText {
  readonly subject: string;
  /** The first sentence, which mail programs show beside the subject. */
  readonly preview: string;
  /** What the link's button says; of codes, what stands above. */
  readonly action: string;
  /** How long it is good, and what to do when nobody asked for it. */
  readonly note: string;
}

interface Language {
  /** Before the phrase that the reader compares. */
  readonly phrase: string;
  readonly mails: Readonly<Record<MailKind, MailText>>;
}

const en: Language = {
  phrase: 'Security phrase, the same that the page shows',
  mails: {
    recovery: {
      subject: 'Password Reset for {project}',
      preview: 'A new password for {project} was asked for.',
      action: 'Choose a new password',
      note: 'The link is good for one hour and for one use. If you did not ask for it, do nothing: your password stays as it is.',
    },
    verification: {
      subject: 'Account Verification for {project}',
      preview: 'Please confirm that this address is yours.',
      action: 'Confirm the address',
      note: 'The link is good for one hour. If you have no account at {project}, do nothing.',
    },
    otp: {
      subject: 'OTP for {project} Login',
      preview: '{code} is your code to sign in to {project}.',
      action: 'Your code',
      note: 'The code is good for 15 minutes and for one use. Give it to nobody. If you did not ask for it, do nothing.',
    },
    'magic-url': {
      subject: '{project} Login',
      preview: 'Here is your link to sign in to {project}.',
      action: 'Sign in',
      note: 'The link is good for one hour and for one use. Give it to nobody. If you did not ask for it, do nothing.',
    },
    invitation: {
      subject: 'Invitation to {team} Team at {project}',
      preview: 'You are invited to the team “{team}” at {project}.',
      action: 'Accept the invitation',
      note: 'If you do not want to join, do nothing.',
    },
    mfa: {
      subject: 'Verification Code for {project}',
      preview: '{code} is your second step to sign in to {project}.',
      action: 'Your code',
      note: 'The code is good for 15 minutes and for one use. If you are not signing in, change your password: somebody knows it.',
    },
  },
};

const de: Language = {
  phrase: 'Sicherheitswort, dasselbe, das die Seite zeigt',
  mails: {
    recovery: {
      subject: 'Kennwort zurücksetzen für {project}',
      preview: 'Für {project} wurde ein neues Kennwort angefordert.',
      action: 'Neues Kennwort wählen',
      note: 'Der Link gilt eine Stunde und nur einmal. Wenn Sie ihn nicht angefordert haben, tun Sie nichts: Ihr Kennwort bleibt, wie es ist.',
    },
    verification: {
      subject: 'Konto bestätigen für {project}',
      preview: 'Bitte bestätigen Sie, dass diese Adresse Ihnen gehört.',
      action: 'Adresse bestätigen',
      note: 'Der Link gilt eine Stunde. Wenn Sie kein Konto bei {project} haben, tun Sie nichts.',
    },
    otp: {
      subject: 'Code zur Anmeldung bei {project}',
      preview: '{code} ist Ihr Code zur Anmeldung bei {project}.',
      action: 'Ihr Code',
      note: 'Der Code gilt 15 Minuten und nur einmal. Geben Sie ihn niemandem. Wenn Sie ihn nicht angefordert haben, tun Sie nichts.',
    },
    'magic-url': {
      subject: 'Anmeldung bei {project}',
      preview: 'Hier ist Ihr Link zur Anmeldung bei {project}.',
      action: 'Anmelden',
      note: 'Der Link gilt eine Stunde und nur einmal. Geben Sie ihn niemandem. Wenn Sie ihn nicht angefordert haben, tun Sie nichts.',
    },
    invitation: {
      subject: 'Einladung ins Team {team} bei {project}',
      preview: 'Sie sind ins Team „{team}“ bei {project} eingeladen.',
      action: 'Einladung annehmen',
      note: 'Wenn Sie nicht beitreten möchten, tun Sie nichts.',
    },
    mfa: {
      subject: 'Bestätigungscode für {project}',
      preview: '{code} ist Ihr zweiter Schritt zur Anmeldung bei {project}.',
      action: 'Ihr Code',
      note: 'Der Code gilt 15 Minuten und nur einmal. Wenn Sie sich nicht gerade anmelden, ändern Sie Ihr Kennwort: jemand kennt es.',
    },
  },
};

const LANGUAGES = { en, de } as const;
export type MailLanguage = keyof typeof LANGUAGES;

/** The language of a request's `X-Appwrite-Locale`: what there is of it, else English. */
export function mailLanguage(locale: string | undefined): MailLanguage {
  const language = locale?.trim().toLowerCase().split(/[-_]/)[0];
  return language === 'de' ? 'de' : 'en';
}

export const textsOf = (language: MailLanguage): Language => LANGUAGES[language];
