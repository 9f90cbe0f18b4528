import { Fragment, type Node } from '@milkdown/kit/prose/model';
import { htmlIn, serializeFragment } from './serialize-rules.ts';

/** Returns the HTML of a document, omitting trailing empty paragraphs. Unchanged blocks keep their original HTML. */
export const serializeContent = (doc: Node): string =>
  serializeBlocks(doc, (block) => givenBlocks.get(block) ?? canonicalBlock(block));

/** Returns the HTML of a document with every block in canonical form. */
export const serializeCanonical = (doc: Node): string => serializeBlocks(doc, canonicalBlock);

function serializeBlocks(doc: Node, write: (block: Node) => BlockHtml): string {
  let end = doc.childCount;
  while (end > 0 && isEmptyParagraph(doc.child(end - 1))) end -= 1;
  const blocks = doc.children.slice(0, end);
  const written = blocks.map(write);
  const ids = written.flatMap((block) => block.ids);
  if (new Set(ids).size === ids.length) return written.map(({ html }) => html).join('');
  // A copied footnote has a duplicate id. Serializing all blocks together keeps the id only where it occurs first.
  return htmlIn(serializeFragment(doc.type.schema, Fragment.from(blocks)));
}

interface BlockHtml {
  readonly html: string;
  readonly ids: readonly string[];
}

const canonicalBlocks = new WeakMap<Node, BlockHtml>();
/** Original HTML of parsed blocks. May differ from their canonical HTML, for example in the nesting order of marks. */
export const givenBlocks = new WeakMap<Node, BlockHtml>();

export function canonicalBlock(node: Node): BlockHtml {
  const known = canonicalBlocks.get(node);
  if (known) return known;
  const written = blockHtmlOf(serializeFragment(node.type.schema, Fragment.from(node)));
  canonicalBlocks.set(node, written);
  return written;
}

export function blockHtmlOf(body: HTMLElement): BlockHtml {
  return { html: htmlIn(body), ids: [...body.querySelectorAll('[id]')].map(({ id }) => id) };
}

const isEmptyParagraph = (node: Node) => node.type.name === 'paragraph' && node.childCount === 0;
