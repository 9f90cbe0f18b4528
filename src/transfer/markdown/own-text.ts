import type { Element, Root, RootContent } from 'hast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype, { defaultHandlers } from 'remark-rehype';
import { unified } from 'unified';
import { ALLOWED } from '#blog/content/allowlist.ts';
import { elementsIn, parseHtml } from '#blog/content/tree.ts';

export interface OwnForm {
  readonly text: 'markdown' | 'html';
  /** True if the stored HTML has no newlines between its blocks, as the editor writes it. */
  readonly isCompact: boolean;
  readonly hasMathematics: boolean;
}

export const FORM_FIELD = 'commonInk';
export const MATHEMATICS_FIELD = 'math';

export const formName = ({ text, isCompact }: OwnForm): string =>
  text === 'html' ? '1 html' : isCompact ? '1 compact' : '1 lines';

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

/** Returns a tree that `storedHtml` turns into the exported HTML. @throws RangeError if it is nested too deeply */
export function readOwnText(body: string, { text, isCompact, hasMathematics }: OwnForm): Root {
  if (text === 'html') return parseHtml(body.trim());
  const source = (hasMathematics ? formulaParser : plainParser).parse(body);
  const made = (isCompact ? toCompact : toLines).runSync(source) as Root;
  // Raw HTML keeps its newlines here, because it is not parsed yet.
  if (isCompact) dropLineEnds(made);
  const tree = parseRaw.runSync(made) as Root;
  for (const node of tree.children) if (isFootnotes(node)) dropHeading(node);
  return tree;
}

/** Returns false if the export was edited and now contains elements that a stored post may not have. */
export const isStoredSet = (tree: Root): boolean =>
  elementsIn(tree).every(
    ([{ tagName, properties }]) => tagName in ALLOWED || (tagName === 'input' && properties.type === 'checkbox'),
  );

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

function dropHeading(section: Element): void {
  section.children = section.children.filter((child) => !(child.type === 'element' && /^h[1-6]$/.test(child.tagName)));
}
