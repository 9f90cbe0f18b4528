/** The text of a post as this product's own export writes it, read back to the letter. */

import type { Element, Root, RootContent } from 'hast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype, { defaultHandlers } from 'remark-rehype';
import { unified } from 'unified';
import { ALLOWED } from '#blog/content/allowlist.ts';
import { elementsIn, parseHtml } from '#blog/content/tree.ts';

/** How the text of a file stands for stored HTML. */
export interface OwnForm {
  /** `html`: the stored HTML itself, where no Markdown gives it exactly. */
  readonly text: 'markdown' | 'html';
  /** The stored HTML has no line ends between its blocks, as the editor writes it. */
  readonly isCompact: boolean;
  /** Dollars stand around formulas. */
  readonly hasMathematics: boolean;
}

/** The field of the front matter that tells an export of this product from other Markdown, and how its text is read. */
export const FORM_FIELD = 'commonInk';
export const MATHEMATICS_FIELD = 'math';

/** The value of `FORM_FIELD`: the version of the form, and how its text is read. */
export const formName = ({ text, isCompact }: OwnForm): string =>
  text === 'html' ? '1 html' : isCompact ? '1 compact' : '1 lines';

/** The form that front matter names; undefined for files of others. */
export function ownFormOf(fields: Readonly<Record<string, unknown>>): OwnForm | undefined {
  const kind = /^1 (html|compact|lines)$/.exec(String(fields[FORM_FIELD] ?? ''))?.[1];
  if (!kind) return undefined;
  return {
    text: kind === 'html' ? 'html' : 'markdown',
    isCompact: kind === 'compact',
    hasMathematics: fields[MATHEMATICS_FIELD] === true,
  };
}

const plainParser = unified().use(remarkParse).use(remarkGfm).freeze();
const formulaParser = unified().use(remarkParse).use(remarkGfm).use(remarkMath).freeze();
const rehypeOptions = { allowDangerousHtml: true, clobberPrefix: '' };
const toLines = unified().use(remarkRehype, rehypeOptions).freeze();
const toCompact = unified()
  .use(remarkRehype, {
    ...rehypeOptions,
    handlers: {
      break: () => ({ type: 'element', tagName: 'br', properties: {}, children: [] }) as const,
      code(state, node) {
        const block = defaultHandlers.code(state, node);
        const text = (block.children[0] as Element | undefined)?.children[0];
        if (text?.type === 'text') text.value = node.value;
        return block;
      },
    },
  })
  .freeze();
const parseRaw = unified().use(rehypeRaw).freeze();

/** The tree of which `storedHtml` makes what was exported. @throws RangeError where it has too many levels. */
export function readOwnText(body: string, { text, isCompact, hasMathematics }: OwnForm): Root {
  if (text === 'html') return parseHtml(body.trim());
  const source = (hasMathematics ? formulaParser : plainParser).parse(body);
  const made = (isCompact ? toCompact : toLines).runSync(source) as Root;
  // What is written as HTML keeps its line ends: it is not parsed yet.
  if (isCompact) dropLineEnds(made);
  const tree = parseRaw.runSync(made) as Root;
  for (const node of tree.children) if (isFootnotes(node)) dropHeading(node);
  return tree;
}

/** Whether everything in the tree has a place in a stored text: what somebody added to an exported file may have none. */
export const isStoredSet = (tree: Root): boolean =>
  elementsIn(tree).every(
    ([{ tagName, properties }]) => tagName in ALLOWED || (tagName === 'input' && properties.type === 'checkbox'),
  );

/** Elements between whose children Markdown's line ends are no text. */
const AROUND_BLOCKS = new Set(['ul', 'ol', 'li', 'blockquote', 'table', 'thead', 'tbody', 'tr', 'section']);

function dropLineEnds(parent: Root | Element): void {
  const isAroundBlocks = parent.type === 'root' || AROUND_BLOCKS.has(parent.tagName);
  const children: readonly RootContent[] = parent.children;
  parent.children = children.filter(
    (node) => !(isAroundBlocks && node.type === 'text' && /^\n+$/.test(node.value)),
  ) as typeof parent.children;
  for (const child of parent.children) if (child.type === 'element') dropLineEnds(child);
}

const isFootnotes = (node: RootContent): node is Element =>
  node.type === 'element' && node.tagName === 'section' && 'dataFootnotes' in node.properties;

/** The heading that the library writes over footnotes is the page's business. */
function dropHeading(section: Element): void {
  section.children = section.children.filter((child) => !(child.type === 'element' && /^h[1-6]$/.test(child.tagName)));
}
