/** Stubs for Markdown packages that Milkdown needs but never uses here (`server/astro/bundle-aliases.ts`). */

interface Processor {
  use(): Processor;
}

export function unified(): Processor {
  const processor: Processor = { use: () => processor };
  return processor;
}

function refuse(): never {
  throw new Error('The editor holds no Markdown: read and write stored HTML (editor/html).');
}

/** Stand-ins for the exports of `@milkdown/transformer`. */
export const ParserState = { create: () => refuse };
export const SerializerState = { create: () => refuse };

/** Stand-ins for the exports of `unist-util-visit` and `unist-util-visit-parents`. */
export const visit = refuse;
export const visitParents = refuse;

export default function nothing(): void {}
