/** Writes a merged text into its Markdown. Leaves the Markdown of unchanged blocks byte for byte as it was. */
import { locateBlocks } from './locate-blocks.ts';
import type { Range } from './merge.ts';
import { patchWords } from './patch-words.ts';

/** Blocks that replace a range of the file's blocks. In a conflict, both versions are written. */
export interface Change {
  readonly file: Range;
  readonly blocks: readonly string[];
  readonly isConflict: boolean;
}

export interface RewriteOptions {
  /** Converts blocks to Markdown. */
  readonly write: (blocks: readonly string[]) => string;
  /** False to convert changed blocks again instead of patching their words. */
  readonly patches: boolean;
}

const [OURS, MIDDLE, THEIRS] = ['<<<<<<< file', '=======', '>>>>>>> blog'];

/** Returns true if the text has one of this sync's marks, or a complete set of git's marks outside code. */
export const hasConflict = (markdown: string): boolean =>
  new RegExp(`^(?:${OURS}|${THEIRS})[ \\t]*\\r?$`, 'm').test(markdown) ||
  /^<{7} [\s\S]*^={7}\s[\s\S]*^>{7} /m.test(markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, ''));

const MARKED = new RegExp(`^${OURS}[ \\t]*\\r?\\n([\\s\\S]*?)^${THEIRS}[ \\t]*\\r?$`, 'gm');
const DIVIDER = new RegExp(`^${MIDDLE}[ \\t]*\\r?\\n`, 'm');

/** Returns the text with only one side of each conflict. */
export const sideOf = (markdown: string, side: 'file' | 'blog'): string =>
  markdown.replace(MARKED, (_, both: string) => {
    // Only the file's side can contain the divider, which underlines a heading there.
    const parts = both.split(DIVIDER);
    const own = side === 'blog' ? (parts.at(-1) ?? '') : parts.slice(0, -1).join(`${MIDDLE}\n`);
    return own.trimEnd();
  });

/** Returns both versions between conflict marks in git's style. */
export const conflictOf = (file: string, blog: string): string =>
  [OURS, file.trimEnd(), MIDDLE, blog, THEIRS].filter(Boolean).join('\n');

/**
 * Returns the changed Markdown; undefined if a changed block cannot be found in it.
 * @param blocks the Markdown's blocks as HTML
 * @param changes in order
 */
export function rewriteMarkdown(
  markdown: string,
  blocks: readonly string[],
  changes: readonly Change[],
  { write, patches }: RewriteOptions,
): string | undefined {
  const places = locateBlocks(markdown, blocks);
  let [text, at] = ['', 0];
  for (const change of changes) {
    const place = placeOf(change.file, places);
    if (!place || place[0] < at) return undefined;
    text += markdown.slice(at, place[0]);
    at = place[1];
    const source = markdown.slice(...place);
    const words = change.isConflict
      ? conflictOf(source, write(change.blocks))
      : (patchedIn(source, change) ?? write(change.blocks));
    if (words === '') text = text.trimEnd();
    else if (source === '') text = `${text.trim() === '' ? text : `${text.trimEnd()}\n\n`}${words}`;
    else text += words;
    if (source === '' && words !== '' && !/^\s*?(?:\n\n|$)/.test(markdown.slice(at))) text += '\n\n';
  }
  return text + markdown.slice(at);

  function patchedIn(source: string, change: Change): string | undefined {
    const [from, to] = change.file;
    const [before, after] = [blocks[from], change.blocks[0]];
    const isOne = to - from === 1 && change.blocks.length === 1 && before !== undefined && after !== undefined;
    return isOne && patches ? patchWords(source, before, after, markdown) : undefined;
  }
}

/** Returns the range of some blocks unless another block shares it. For no blocks, returns where to insert some. */
function placeOf([from, to]: Range, places: readonly (Range | undefined)[]): Range | undefined {
  const inside = places.slice(from, to);
  if (inside.includes(undefined)) return undefined;
  const isKnown = (place: Range | undefined) => place !== undefined;
  const [before, after] = [places.slice(0, from).findLast(isKnown)?.[1] ?? 0, places.slice(to).find(isKnown)?.[0]];
  const [start, end] = [inside[0]?.[0] ?? before, inside.at(-1)?.[1] ?? before];
  return before <= start && end <= (after ?? end) ? [start, end] : undefined;
}
