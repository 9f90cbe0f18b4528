/** The frame of every mail of the newsletter: header, footer, and the places of each subscriber's own links. */
import { language } from '#blog/messages/language.ts';
import { newsletterMailText as texts } from '#blog/messages/newsletter-mail.ts';
import type { ComposedMail, PersonalLinks } from '#blog/newsletter/newsletter.ts';
import { HOME } from '#blog/routes/paths.ts';
import { absolute } from '#blog/seo/addresses.ts';
import { xml } from '#blog/seo/xml.ts';
import type { Site } from '#blog/site.ts';
import { oneLine } from './one-line.ts';
import { darkStyles, MAIL_WIDTH, type MailStyles, type MailTheme } from './styles.ts';
import { textOf } from './text-part.ts';

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

/** Returns the mail around its HTML. The text part says the same. */
export function frameMail(frame: Frame, body: string): ComposedMail {
  const html = withoutMarks(body);
  const text = [clean(textOf(html)), textOf(footOf(frame))].filter(Boolean).join('\n\n');
  return { subject: oneLine(frame.subject), html: pageOf(frame, html), text: `${text}\n` };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const clean = (text: string): string => withoutMarks(text).replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');

/** Returns the number of bytes that the frame takes of a mail's HTML. */
export const frameBytes = (frame: Frame): number => Buffer.byteLength(pageOf(frame, ''));

const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

function pageOf(frame: Frame, body: string): string {
  const { site, theme, styles, subject, preheader } = frame;
  const home = xml(absolute(site, HOME));
  return `<!doctype html>
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
<p style="${styles.name}"><a class="plain" href="${home}" style="${styles.plain}">${xml(oneLine(site.name))}</a></p>
${body}${footOf(frame)}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

function footOf({ site, styles, contact }: Frame): string {
  if (contact === undefined) return '';
  const lines = contact.split('\n').map((line) => xml(line.trim()));
  const link = `<a class="soft" href="${MARK}manage${MARK}" style="${styles.quiet}">${xml(texts.manage)}</a>`;
  const notes = [xml(texts.why({ site: oneLine(site.name) })), lines.join('<br>'), link];
  return `<hr style="${styles.rule}">\n${notes.map((note) => small(styles, note)).join('')}`;
}

/** Returns a paragraph of small print. */
export const small = (styles: MailStyles, html: string): string =>
  `<p class="soft" style="${styles.small}">${html}</p>\n`;

/** Returns a link in a paragraph of its own, which the text part writes out. */
export const button = (styles: MailStyles, href: string, words: string): string =>
  `<p style="${styles.space}"><a class="button" href="${xml(href)}" style="${styles.button}">${xml(words)}</a></p>\n`;
