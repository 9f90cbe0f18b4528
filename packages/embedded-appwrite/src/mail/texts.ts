export type MailKind = 'recovery' | 'verification' | 'otp' | 'magic-url' | 'invitation' | 'mfa';

export interface MailText {
  readonly subject: string;
  /** The email's first sentence, which email clients show next to the subject. */
  readonly preview: string;
  /** Label of the button; not used in emails with a code. */
  readonly action: string;
  /** Tells the recipient when the link or code expires and what to do if the email was unexpected. */
  readonly note: string;
}

interface Language {
  readonly phrase: string;
  readonly mails: Readonly<Record<MailKind, MailText>>;
}

const en: Language = {
  phrase: 'Security phrase, the same as on the page',
  mails: {
    recovery: {
      subject: 'Password Reset for {project}',
      preview: 'Someone asked for a new password for {project}.',
      action: 'Choose a new password',
      note: 'The link works once and expires in one hour. If you did not ask for it, ignore this mail: your password has not changed.',
    },
    verification: {
      subject: 'Account Verification for {project}',
      preview: 'Please confirm that this is your e-mail address.',
      action: 'Confirm the address',
      note: 'The link expires in one hour. If you have no account at {project}, ignore this mail.',
    },
    otp: {
      subject: 'OTP for {project} Login',
      preview: '{code} is your code to sign in to {project}.',
      action: 'Your code',
      note: 'The code works once and expires in 15 minutes. Do not share it. If you did not ask for it, ignore this mail.',
    },
    'magic-url': {
      subject: '{project} Login',
      preview: 'Here is your link to sign in to {project}.',
      action: 'Sign in',
      note: 'The link works once and expires in one hour. Do not share it. If you did not ask for it, ignore this mail.',
    },
    invitation: {
      subject: 'Invitation to {team} Team at {project}',
      preview: 'You are invited to the team “{team}” at {project}.',
      action: 'Accept the invitation',
      note: 'If you do not want to join, ignore this mail.',
    },
    mfa: {
      subject: 'Verification Code for {project}',
      preview: '{code} is your code for the second step of signing in to {project}.',
      action: 'Your code',
      note: 'The code works once and expires in 15 minutes. If you are not signing in right now, change your password: someone else knows it.',
    },
  },
};

const de: Language = {
  phrase: 'Sicherheitswort, dasselbe wie auf der Seite',
  mails: {
    recovery: {
      subject: 'Kennwort zurücksetzen für {project}',
      preview: 'Für {project} wurde ein neues Passwort angefordert.',
      action: 'Neues Passwort wählen',
      note: 'Der Link gilt eine Stunde und nur einmal. Wenn du ihn nicht angefordert hast, tu nichts: Dein Passwort bleibt, wie es ist.',
    },
    verification: {
      subject: 'Konto bestätigen für {project}',
      preview: 'Bitte bestätige, dass diese Adresse dir gehört.',
      action: 'Adresse bestätigen',
      note: 'Der Link gilt eine Stunde. Wenn du kein Konto bei {project} hast, tu nichts.',
    },
    otp: {
      subject: 'Code zur Anmeldung bei {project}',
      preview: '{code} ist dein Code zur Anmeldung bei {project}.',
      action: 'Dein Code',
      note: 'Der Code gilt 15 Minuten und nur einmal. Gib ihn niemandem. Wenn du ihn nicht angefordert hast, tu nichts.',
    },
    'magic-url': {
      subject: 'Anmeldung bei {project}',
      preview: 'Hier ist dein Link zur Anmeldung bei {project}.',
      action: 'Anmelden',
      note: 'Der Link gilt eine Stunde und nur einmal. Gib ihn niemandem. Wenn du ihn nicht angefordert hast, tu nichts.',
    },
    invitation: {
      subject: 'Einladung ins Team {team} bei {project}',
      preview: 'Du bist ins Team „{team}“ bei {project} eingeladen.',
      action: 'Einladung annehmen',
      note: 'Wenn du nicht beitreten möchtest, tu nichts.',
    },
    mfa: {
      subject: 'Bestätigungscode für {project}',
      preview: '{code} ist dein Code für den zweiten Schritt der Anmeldung bei {project}.',
      action: 'Dein Code',
      note: 'Der Code gilt 15 Minuten und nur einmal. Wenn du dich nicht gerade anmeldest, ändere dein Passwort: Jemand kennt es.',
    },
  },
};

const LANGUAGES = { en, de } as const;
export type MailLanguage = keyof typeof LANGUAGES;

export function mailLanguage(locale: string | undefined): MailLanguage {
  const language = locale?.trim().toLowerCase().split(/[-_]/)[0];
  return language === 'de' ? 'de' : 'en';
}

export const textsOf = (language: MailLanguage): Language => LANGUAGES[language];
