/**
 * What stands in for Milkdown's Markdown machinery in the browser (`server/stand-ins.ts`). The editor is made with it,
 * as Milkdown wants, and never asks it for anything: content is read and written by our own rules.
 */

interface Processor {
  use(): Processor;
}

/** For `unified`: takes plugins and does nothing with them. */
export function unified(): Processor {
  const processor: Processor = { use: () => processor };
  return processor;
}

function refuse(): never {
  throw new Error('The editor holds no Markdown: read and write stored HTML (stored.ts).');
}

/** For `@milkdown/transformer`. */
export const ParserState = { create: () => refuse };
export const SerializerState = { create: () => refuse };

/** For the trees of remark, which are never there. */
export const visit = refuse;
export const visitParents = refuse;

/** For plugins of remark. */
export default function nothing(): void {}
