/** Renders emails as text and HTML, without remote content or tracking. */
import { type MailKind, type MailLanguage, textsOf } from './texts.ts';

export interface Mailbox {
  readonly address: string;
  /** User input, which may contain any characters. */
  readonly name?: string;
}

export interface Mail {
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly to: Mailbox;
  readonly link?: string;
  readonly code?: string;
  readonly phrase?: string;
  readonly team?: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const LONGEST_NAME = 128;

/** Shortens a name. Spaces replace characters that could end an email header or reverse the text direction. */
export function oneLine(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ESCAPES[mark] as string);

/** Inline styles whose colours are legible in light and dark email clients. */
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#2b52b8;color:#ffffff;font-weight:600;text-decoration:none';
const CODE = 'font:600 28px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px';
const SMALL = 'opacity:.75;font-size:14px';

export function renderMail(
  { kind, language, link, code = '', phrase, team = '' }: Mail,
  project: string,
): RenderedMail {
  const { mails, phrase: phraseLabel } = textsOf(language);
  const values: Readonly<Record<string, string>> = { project: oneLine(project), team: oneLine(team), code };
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const subject = fill(mails[kind].subject);
  const [preview, action, note] = [mails[kind].preview, mails[kind].action, mails[kind].note].map(fill) as [
    string,
    string,
    string,
  ];
  const phraseText = phrase === undefined ? [] : [`${phraseLabel}: ${phrase}`];
  const text = [preview, ...(link === undefined ? [code] : [`${action}:\n${link}`]), ...phraseText, note].join('\n\n');
  const main =
    link === undefined
      ? `<p style="${CODE}">${escaped(code)}</p>`
      : `<p><a href="${escaped(link)}" style="${BUTTON}">${escaped(action)}</a></p>
<p style="${SMALL};word-break:break-all">${escaped(link)}</p>`;
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p>${escaped(preview)}</p>
${main}
${phraseText.map((line) => `<p>${escaped(line)}</p>\n`).join('')}<p style="${SMALL}">${escaped(note)}</p>
</div>
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}

/** Adds parameters to a URL, after its existing query and before its fragment (contract part 2, section 1). */
export function mailLink(url: string, parameters: Readonly<Record<string, string>>): string {
  const mark = url.indexOf('#');
  const [address, fragment] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}${fragment}`;
}
