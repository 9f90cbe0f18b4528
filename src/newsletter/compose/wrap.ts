/** Breaks plain text into lines by the width that a mail program with a fixed-width font shows. */

/** Columns of a line of the text part, as RFC 5322 and mail programs expect. */
export const LINE_WIDTH = 72;

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u;
const WIDE_AND_OTHERS = new RegExp(`(${WIDE.source})`, 'u');

/** Returns the number of columns that a text takes: two for Chinese, Japanese, Korean and emoji, none for marks. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const sign of text) columns += WIDE.test(sign) ? 2 : /[\p{M}\u200b-\u200d]/u.test(sign) ? 0 : 1;
  return columns;
}

/** Returns lines of at most `width` columns. Breaks at spaces and between Chinese characters; a longer word stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    let current = '';
    let columns = 0;
    const add = (part: string, gap: string) => {
      const size = columnsOf(part);
      if (current !== '' && columns + gap.length + size > width) {
        lines.push(current);
        [current, columns] = [part, size];
      } else [current, columns] = [current + (current && gap) + part, columns + (current && gap).length + size];
    };
    for (const word of line.split(/\s+/).filter(Boolean)) {
      const parts = WIDE.test(word) ? word.split(WIDE_AND_OTHERS).filter(Boolean) : [word];
      parts.forEach((part, at) => {
        add(part, at === 0 ? ' ' : '');
      });
    }
    lines.push(current);
  }
  return lines;
}
