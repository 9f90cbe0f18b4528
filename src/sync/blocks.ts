/** Splits stored HTML into its top-level blocks, and joins blocks. */
import { parseFragment } from 'parse5';
import { sanitise } from '#blog/content/sanitise.ts';

const BLOCK = /^(?:blockquote|figure|h[1-6]|hr|ol|p|pre|section|table|ul)$/;

/** Returns the blocks as HTML in the stored form. Text and inline elements between two blocks form one block. */
export function blocksIn(content: string): string[] {
  const html = sanitise(content);
  const blocks: { from: number; to: number }[] = [];
  let isLoose = false;
  for (const { nodeName, sourceCodeLocation: place } of parseFragment(html, { sourceCodeLocationInfo: true })
    .childNodes) {
    if (!place) continue;
    const { startOffset: from, endOffset: to } = place;
    const last = blocks.at(-1);
    const isBlock = BLOCK.test(nodeName);
    if (!isBlock && isLoose && last) last.to = to;
    else if (isBlock || html.slice(from, to).trim() !== '') {
      blocks.push({ from, to });
      isLoose = !isBlock;
    }
  }
  return blocks.map(({ from, to }) => html.slice(from, to).trim());
}

/** Joins blocks, with line breaks between them if `model` has line breaks between its blocks. */
export const joinedAs = (model: string, blocks: readonly string[]): string =>
  blocks.join(/>\n+</.test(model) ? '\n' : '');

const AROUND =
  /\s*(<\/?(?:blockquote|br|caption|figcaption|figure|h[1-6]|hr|li|ol|p|section|table|t[dhr]|tbody|thead|ul)\b[^>]*>)\s*/g;

/**
 * Returns a key that is the same for blocks that look the same. It ignores white space outside code, and the width and
 * height of pictures, because the importer reads these from the picture files.
 */
export const keyOf = (block: string): string =>
  block
    .split(/(<pre[\s>][\s\S]*?<\/pre>)/)
    .map((part) => (part.startsWith('<pre') ? part : part.replace(/\s+/g, ' ').replace(AROUND, '$1')))
    .join('')
    .replace(/(?<=<img\b[^>]*) (?:width|height)="\d*"/g, '');
