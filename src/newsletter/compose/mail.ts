/** Writes the frame of every newsletter email: header, footer, and a placeholder for each subscriber's own link. */
import { language } from '#blog/messages/language.ts';
import { newsletterMailText as texts } from '#blog/messages/newsletter-mail.ts';
import type { ComposedMail } from '#blog/newsletter/newsletter.ts';
import { HOME } from '#blog/routes/paths.ts';
import { absolute } from '#blog/seo/addresses.ts';
import { xml } from '#blog/seo/xml.ts';
import type { Site } from '#blog/site.ts';
import { MAIL_WIDTH, type MailStyles } from './styles.ts';
import { textOf } from './text-part.ts';

/** Gmail clips HTML over 102 KB. This lower limit leaves room for the subscriber's link. */
export const MOST_BYTES = 95_000;
/** Maximum length of a subject or preheader, in UTF-16 code units. Email clients show less. */
const LONGEST_LINE = 300;
/** Matches characters that could end a header or reverse text, but not the joiners used in Persian, Hindi and emoji. */
const UNSEEN = /(?:(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}\s])+/gu;
/**
 * Placeholder for a subscriber's link. It is a noncharacter and is removed from all other text, so it cannot be
 * mistaken for content.
 */
const MARK = '\uffff';

/** Makes text safe for an email header: one line, cut if very long, without control and format characters. */
export const oneLine = (text: string): string =>
  text
    .replace(UNSEEN, ' ')
    .trim()
    .slice(0, LONGEST_LINE)
    .replace(/[\uD800-\uDBFF]$/, '');

/** Returns the email with a subscriber's own link to the page for changing the address or unsubscribing. */
export const personalise = ({ subject, html, text }: ComposedMail, link: string): ComposedMail => ({
  subject,
  html: html.replaceAll(MARK, () => xml(link)),
  text: text.replaceAll(MARK, () => link),
});

export interface Draft {
  readonly site: Site;
  readonly styles: MailStyles;
  readonly subject: string;
  /** Text that email clients show after the subject in their lists. */
  readonly preheader: string;
  /** Contact details for the footer. Absent in a confirmation, which has no footer. */
  readonly contact?: string;
  readonly head: string;
  /** Functions that each write some of the HTML between `head` and `end`. Called in order until the email is full. */
  readonly parts?: readonly (() => string)[];
  /** True if `parts` are only the beginning of a longer text. */
  readonly isLong?: boolean;
  readonly end?: string;
  /** Used in place of `end` if the text is cut. */
  readonly rest?: string;
  /** Used in place of `parts` if even the first one is too long. */
  readonly summary?: string;
}

/**
 * Returns the email, including a plain-text part. If the text is too long, cuts it after the last part that fits, but
 * never after a heading.
 */
export function writeMail(draft: Draft): ComposedMail {
  const { subject, head, parts = [], isLong = false, end = '', rest = end, summary = '' } = draft;
  let left = MOST_BYTES - Buffer.byteLength(pageOf(draft, head + rest));
  const shown: string[] = [];
  for (const write of parts) {
    const part = write();
    left -= Buffer.byteLength(part);
    if (left < 0) break;
    shown.push(part);
  }
  const isCut = isLong || shown.length < parts.length;
  while (isCut && /^<h[1-6]/.test(shown.at(-1) ?? '')) shown.pop();
  const body = isCut ? (shown.join('') || summary) + rest : shown.join('') + end;
  const html = (head + body).toWellFormed().replaceAll(MARK, '');
  const text = [textOf(html).replace(CONTROLS, ''), textOf(footOf(draft))].filter(Boolean).join('\n\n');
  return { subject: oneLine(subject), html: pageOf(draft, html), text: `${text}\n` };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f\uffff]/g;

const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

function pageOf(draft: Draft, body: string): string {
  const { site, styles, subject, preheader } = draft;
  const home = xml(absolute(site, HOME));
  return `<!doctype html>
<html lang="${language()}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${xml(oneLine(subject))}</title>
<style>${styles.dark}</style>
</head>
<body class="paper" style="${styles.page}">
<div style="${styles.hidden}">${xml(oneLine(preheader))}</div>
<table ${TABLE} class="paper" style="${styles.paper}"><tr><td align="center">
<!--[if mso]><table ${TABLE.replace('100%', String(MAIL_WIDTH))}><tr><td><![endif]-->
<table ${TABLE} style="${styles.sheet}"><tr><td class="ink" align="left" style="${styles.text}">
<p style="${styles.name}"><a class="plain" href="${home}" style="${styles.plain}">${xml(oneLine(site.name))}</a></p>
${body}${footOf(draft)}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

function footOf({ site, styles, contact }: Draft): string {
  if (contact === undefined) return '';
  const lines = contact.split('\n').map((line) => xml(line.trim()));
  const link = `<a class="soft" href="${MARK}" style="${styles.quiet}">${xml(texts.manage)}</a>`;
  const notes = [xml(texts.why({ site: oneLine(site.name) })), lines.join('<br>'), link];
  return `<hr style="${styles.rule}">\n${notes.map((note) => small(styles, note)).join('')}`;
}

export const small = (styles: MailStyles, html: string): string =>
  `<p class="soft" style="${styles.small}">${html}</p>\n`;

/** Returns a link in its own paragraph, so that `textOf` writes out its URL. */
export const button = (styles: MailStyles, href: string, words: string): string =>
  `<p style="${styles.space}"><a class="button" href="${xml(href)}" style="${styles.button}">${xml(words)}</a></p>\n`;
