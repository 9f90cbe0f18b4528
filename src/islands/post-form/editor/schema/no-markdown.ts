/**
 * Stubs for Milkdown's Markdown packages in the browser (`server/astro/bundle-aliases.ts`): the editor needs them at
 * creation but never uses them, because content is HTML.
 */

interface Processor {
  use(): Processor;
}

/** Replaces `unified` and ignores plugins. */
export function unified(): Processor {
  const processor: Processor = { use: () => processor };
  return processor;
}

function refuse(): never {
  throw new Error('The editor holds no Markdown: read and write stored HTML (editor/html).');
}

/** Replaces `@milkdown/transformer`. */
export const ParserState = { create: () => refuse };
export const SerializerState = { create: () => refuse };

/** Replaces the visitors of remark trees. */
export const visit = refuse;
export const visitParents = refuse;

/** Replaces remark plugins. */
export default function nothing(): void {}
