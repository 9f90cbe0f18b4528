/** Styles for emails. They are inline because some email clients drop style sheets; only dark mode uses a sheet. */
import { DEFAULT_PALETTES } from '#blog/theme/colours.ts';
import { fontPairOf } from '#blog/theme/font-pairs.ts';
import type { Theme } from '#blog/theme/theme.ts';

export type MailTheme = Pick<Theme, 'palettes' | 'look'>;

/** Maximum width of an email in pixels, including a margin for phones. */
export const MAIL_WIDTH = 600;
const MARGIN = 24;
export const TEXT_WIDTH = MAIL_WIDTH - 2 * MARGIN;

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CODE = 'Menlo,Consolas,monospace';
/** `word-break` is for Gmail and Outlook. `word-wrap` is for Yahoo, which drops `word-break`. */
const BREAK_WORDS = 'word-wrap:break-word;word-break:break-word';

export type MailStyles = ReturnType<typeof stylesOf>;

export function stylesOf(theme: MailTheme | undefined) {
  const palettes = theme?.palettes ?? DEFAULT_PALETTES;
  const { paper, well, ink, soft, hairline, accent, ...others } = palettes.light;
  const link = `color:${accent};text-decoration:underline`;
  const generic = theme && fontPairOf(theme.look.fonts).text?.generic;
  const family = generic?.endsWith('sans-serif') ? SANS : SERIF;
  const cell = `padding:6px 8px;border:1px solid ${hairline};vertical-align:top`;
  return {
    page: `margin:0;padding:0;background-color:${paper}`,
    paper: `background-color:${paper}`,
    hidden: 'display:none;max-height:0;overflow:hidden',
    sheet: `width:100%;max-width:${MAIL_WIDTH}px;table-layout:fixed`,
    text: `padding:${MARGIN}px ${MARGIN}px 32px;font-family:${family};font-size:17px;line-height:1.6;color:${ink};${BREAK_WORDS}`,
    name: `margin:0 0 24px;font-family:${SANS};font-size:15px;line-height:1.4`,
    byline: `margin:0 0 16px;font-family:${SANS};font-size:14px;line-height:1.4;color:${soft}`,
    small: `margin:0 0 8px;font-family:${SANS};font-size:13px;line-height:1.5;color:${soft}`,
    rule: `height:1px;margin:32px 0 24px;border:0;background-color:${hairline}`,
    quiet: `color:${soft};text-decoration:underline`,
    plain: `color:${ink};text-decoration:none`,
    link,
    button: `display:inline-block;padding:12px 20px;border-radius:4px;background-color:${accent};color:${others['on-accent']};font-family:${SANS};font-size:16px;line-height:1.25;font-weight:600;text-decoration:none`,
    space: 'margin:24px 0',
    words: 'margin:0 0 12px',
    title: 'margin:0 0 12px;font-size:30px;line-height:1.2;font-weight:600',
    entry: 'margin:0 0 8px;font-size:22px;line-height:1.25;font-weight:600',
    // White, because black lines in a transparent picture would be invisible on a dark background.
    picture: 'max-width:100%;height:auto;border:0;background-color:#fff',
    note: 'padding:0 1px',
    task: 'margin:0 0 4px;list-style-type:none',
    smallCell: 'padding:4px 5px;font-size:13px',
    keepWords: 'word-break:normal',
    dark: darkSheet(palettes.dark),
    /** Returns styles by element name. `start` is the side on which lines begin. */
    elements: (start: 'left' | 'right'): Readonly<Record<string, string>> => ({
      a: link,
      mark: 'background-color:#fff3a8;color:#1b1a17',
      p: 'margin:0 0 16px',
      h2: 'margin:32px 0 12px;font-size:24px;line-height:1.25;font-weight:600',
      h3: 'margin:28px 0 8px;font-size:20px;line-height:1.3;font-weight:600',
      h4: 'margin:24px 0 8px;font-size:17px;line-height:1.4;font-weight:600',
      h5: 'margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600',
      h6: 'margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600',
      ul: `margin:0 0 16px;padding:0;padding-${start}:24px`,
      ol: `margin:0 0 16px;padding:0;padding-${start}:28px`,
      li: 'margin:0 0 4px',
      blockquote: `margin:0 0 16px;padding:0;padding-${start}:16px;border-${start}:3px solid ${hairline}`,
      pre: `margin:0 0 16px;padding:12px;background-color:${well};font-family:${CODE};font-size:13px;line-height:1.5;white-space:pre-wrap;${BREAK_WORDS}`,
      code: `padding:1px 3px;background-color:${well};font-family:${CODE};font-size:14px`,
      table: 'width:100%;margin:0 0 16px;border-collapse:collapse;font-size:15px;line-height:1.4',
      th: `${cell};background-color:${well};font-weight:600`,
      td: cell,
      hr: `height:1px;margin:32px 0;border:0;background-color:${hairline}`,
      sup: 'font-size:12px;line-height:1',
      sub: 'font-size:12px;line-height:1',
      figure: 'margin:0 0 16px',
      figcaption: `margin:4px 0 0;font-family:${SANS};font-size:14px;line-height:1.4;color:${soft}`,
      caption: 'margin:0 0 8px;font-size:15px;line-height:1.4;font-weight:600',
      section: `margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${hairline};font-size:15px;line-height:1.5`,
    }),
  };
}

/** Returns the style sheet for dark mode. Email clients that ignore it show the light colours or invert them. */
function darkSheet({ paper, well, ink, soft, hairline, accent, ...others }: MailTheme['palettes']['dark']): string {
  const rules = `.paper{background-color:${paper}}
.ink,.ink .plain{color:${ink}}
.ink a{color:${accent}}
.ink .soft{color:${soft}}
.ink .button{background-color:${accent};color:${others['on-accent']}}
.ink pre,.ink code,.ink th{background-color:${well}}
.ink td,.ink th,.ink blockquote,.ink .notes{border-color:${hairline}}
.ink hr{background-color:${hairline}}`;
  return `@media (prefers-color-scheme:dark){${rules.replace(/(?=[;}])/g, '!important').replaceAll('\n', '')}}`;
}
