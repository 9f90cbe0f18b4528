/** Longest subject and preheader, in UTF-16 code units; mail programs show fewer. */
const LONGEST = 300;

/** Matches what could end a header or reverse the text, but not the joiners that Persian, Hindi and emoji need. */
const UNSEEN = /(?:(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}\s])+/gu;

/** Returns text that is safe in a mail header: without control and format characters, on one line, cut if very long. */
export const oneLine = (text: string): string =>
  text
    .replace(UNSEEN, ' ')
    .trim()
    .slice(0, LONGEST)
    .replace(/[\uD800-\uDBFF]$/, '');
