/**
 * Replaces Milkdown's Markdown packages in the browser (`server/astro/bundle-aliases.ts`): the editor is created with them and
 * never uses them, because content is HTML.
 */

interface Processor {
  use(): Processor;
}

/** Replaces `unified`: plugins are ignored. */
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

/** Replaces the visitors of remark's trees. */
export const visit = refuse;
export const visitParents = refuse;

/** Replaces plugins of remark. */
export default function nothing(): void {}
