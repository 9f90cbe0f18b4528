/** The frame of every mail of the newsletter: header, footer, and the places of each subscriber's own links. */

import { language } from '#blog/messages/language.ts';
import { newsletterMailText } from '#blog/messages/newsletter-mail.ts';
import type { ComposedMail, PersonalLinks } from '#blog/newsletter/newsletter.ts';
import { HOME } from '#blog/routes/paths.ts';
import { absolute } from '#blog/seo/addresses.ts';
import { xml } from '#blog/seo/xml.ts';
import type { Site } from '#blog/site.ts';
import { oneLine } from './one-line.ts';
import { darkStyles, MAIL_WIDTH, type MailStyles, type MailTheme } from './styles.ts';
import { LINE_WIDTH, wrap } from './wrap.ts';

/** U+FFFF, which is no character: `withoutMarks` removes it from everything that people write. */
const MARK = '\uffff';
const PLACEHOLDER = /\uffff(manage|unsubscribe)\uffff/g;

const withoutMarks = (text: string): string => text.toWellFormed().replaceAll(MARK, '');

/** Returns the mail with a subscriber's own links. */
export function personalise({ subject, html, text }: ComposedMail, links: PersonalLinks): ComposedMail {
  const fill = (part: string, write: (link: string) => string) =>
    part.replace(PLACEHOLDER, (_, name: keyof PersonalLinks) => write(links[name]));
  return { subject, html: fill(html, xml), text: fill(text, (link) => link) };
}

export interface Frame {
  readonly site: Site;
  readonly theme: MailTheme | undefined;
  readonly styles: MailStyles;
  readonly subject: string;
  /** Shown after the subject in lists of mails. */
  readonly preheader: string;
  /** Absent from a mail to an address that is not subscribed yet. */
  readonly contact?: string;
}

/** Returns the mail around its HTML and its text. */
export function frameMail(frame: Frame, html: string, text: string): ComposedMail {
  const { site, subject, contact } = frame;
  const [head, foot] = htmlFrame(frame);
  const contactLines = (contact ?? '').split('\n').flatMap((line) => wrap(withoutMarks(line), LINE_WIDTH));
  const textFoot =
    contact === undefined
      ? []
      : [
          '-'.repeat(LINE_WIDTH),
          [...wrap(newsletterMailText.why({ site: oneLine(site.name) }), LINE_WIDTH), ...contactLines].join('\n'),
          `${newsletterMailText.manage}:\n${MARK}manage${MARK}`,
        ];
  return {
    subject: oneLine(subject),
    html: head + withoutMarks(html) + foot,
    text: `${[clean(text), ...textFoot].join('\n\n')}\n`,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const clean = (text: string): string => withoutMarks(text).replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');

/** Returns the number of bytes that the frame takes of a mail's HTML. */
export const frameBytes = (frame: Frame): number => Buffer.byteLength(htmlFrame(frame).join(''));

const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

function htmlFrame({ site, theme, styles, subject, preheader, contact }: Frame): [string, string] {
  const name = xml(oneLine(site.name));
  const home = xml(absolute(site, HOME));
  const head = `<!doctype html>
<html lang="${language()}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${xml(oneLine(subject))}</title>
<style>${darkStyles(theme)}</style>
</head>
<body class="paper" style="${styles.page}">
<div style="${styles.hidden}">${xml(oneLine(preheader))}</div>
<table ${TABLE} class="paper" style="${styles.paper}"><tr><td align="center">
<!--[if mso]><table ${TABLE.replace('100%', String(MAIL_WIDTH))}><tr><td><![endif]-->
<table ${TABLE} style="${styles.sheet}"><tr><td class="ink" align="left" style="${styles.text}">
<p style="${styles.name}"><a class="plain" href="${home}" style="${styles.plain}">${name}</a></p>
`;
  const lines = (contact ?? '').split('\n').map((line) => xml(line.trim()));
  const foot =
    contact === undefined
      ? ''
      : `<hr style="${styles.rule}">
<p class="soft" style="${styles.small}">${xml(newsletterMailText.why({ site: oneLine(site.name) }))}</p>
<p class="soft" style="${styles.small}">${lines.join('<br>')}</p>
<p class="soft" style="${styles.small}"><a class="soft" href="${MARK}manage${MARK}" style="${styles.quiet}">${xml(newsletterMailText.manage)}</a></p>
`;
  return [
    head,
    `${foot}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`,
  ];
}

export const button = (styles: MailStyles, href: string, words: string): string =>
  `<p style="${styles.space}"><a class="button" href="${xml(href)}" style="${styles.button}">${xml(words)}</a></p>\n`;
