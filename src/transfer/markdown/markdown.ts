import type { Element, Root } from 'hast';
import type { Root as Source } from 'mdast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { VFileMessage } from 'vfile-message';
import { headingSlug, isHeading } from '#blog/content/headings.ts';
import { elementsIn, textIn } from '#blog/content/tree.ts';
import { conform } from '../html/conform.ts';
import { hasFormulas, ownLines, remarkFormulas, settleFormulas } from './formulas.ts';
import { settleMdx } from './mdx.ts';
import { closeVerbatim, mendRawHtml } from './raw-html.ts';
import { expandShortcodes, outsideCode } from './shortcodes.ts';
import { wordsOfMarkdown } from './source-words.ts';

interface MarkdownForm {
  readonly mdx?: boolean;
  readonly linesAbove?: number;
  readonly mathematics?: boolean;
  /** Changes the parsed Markdown before its words are counted. */
  readonly settle?: ((source: Source) => void) | undefined;
}

export const markdownParser = unified().use(remarkParse).use(remarkGfm).freeze();
const mdxParser = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze();
export const formulaParser = unified().use(remarkParse).use(remarkGfm).use(remarkFormulas).freeze();
const mdxFormulaParser = unified().use(remarkParse).use(remarkGfm).use(remarkFormulas).use(remarkMdx).freeze();
const toHtml = unified().use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '' }).use(rehypeRaw).freeze();

/** Converts Markdown. Pass the returned `tree` to `storedHtml` once its links and pictures are rewritten. */
export function readMarkdown(
  markdown: string,
  { mdx = false, linesAbove = 0, mathematics = false, settle }: MarkdownForm = {},
) {
  const formulas = mathematics || hasFormulas(markdown);
  const text = formulas ? ownLines(markdown) : markdown;
  const read = mdx ? readMdx(text, linesAbove, formulas) : readPlain(text, formulas);
  const { source, components, unknown, notes } = read;
  settleFormulas(source);
  settle?.(source);
  const words = wordsOfMarkdown(source, linesAbove);
  const tree = toHtml.runSync(source) as Root;
  nameHeadings(tree);
  const embeds = conform(tree);
  const first = tree.children.find((node) => node.type === 'element');
  return {
    tree,
    firstHeading: first?.type === 'element' && isHeading(first) ? textIn(first).replace(/\s+/g, ' ').trim() : undefined,
    unknown,
    notes: [
      ...notes,
      ...components.map((name) => `removed a tag that is not HTML and kept its content: <${name}>`),
      ...embeds,
    ],
    words,
  };
}

interface Read {
  readonly source: Source;
  readonly components: readonly string[];
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
}

function readPlain(markdown: string, formulas: boolean): Read {
  const expanded = expandShortcodes(markdown);
  const source = (formulas ? formulaParser : markdownParser).parse(outsideCode(expanded.markdown, closeVerbatim));
  return { source, components: mendRawHtml(source), unknown: expanded.unknown, notes: [] };
}

function readMdx(mdx: string, linesAbove: number, formulas: boolean): Read {
  try {
    const source = (formulas ? mdxFormulaParser : mdxParser).parse(mdx);
    const { components, unknown } = settleMdx(source);
    const notes = unknown.map((each) => `left out a value that is known only when the page is built: ${each}`);
    return { source, components, unknown: [], notes };
  } catch (error) {
    if (!(error instanceof VFileMessage)) throw error;
    const line = linesAbove + (error.line ?? 1);
    const note = `it is not valid MDX, so it was read as Markdown (line ${line}, ${error.reason.replace(/\s+/g, ' ')})`;
    return { ...readPlain(mdx, formulas), notes: [note] };
  }
}

/** Removes the first heading, which became the title. */
export function dropFirstHeading(tree: Root): void {
  tree.children.splice(
    tree.children.findIndex((node) => node.type === 'element'),
    1,
  );
}

/** Makes links to a heading's explicit id (`{#id}`, `<a name="id">`) use its generated id; removes `{#id}`. */
function nameHeadings(tree: Root): void {
  const names = new Map<string, string>();
  const elements = elementsIn(tree).map(([element]) => element);
  for (const heading of elements.filter(isHeading)) {
    const given = [heading.properties.id, takeMark(heading), ...anchorsIn(heading)].filter(
      (id) => typeof id === 'string',
    );
    for (const id of given) names.set(id, headingSlug(textIn(heading)));
  }
  for (const { tagName, properties } of elements) {
    if (tagName !== 'a' || typeof properties.href !== 'string' || !properties.href.startsWith('#')) continue;
    const slug = names.get(properties.href.slice(1));
    if (slug) properties.href = `#${slug}`;
  }
}

function takeMark(heading: Element): string | undefined {
  const last = heading.children.at(-1);
  if (last?.type !== 'text') return undefined;
  const mark = /\s*\{:?\s*(?:[#.][\w-]+\s*)+\}\s*$/.exec(last.value)?.[0];
  if (mark) last.value = last.value.slice(0, -mark.length);
  return /#([\w-]+)/.exec(mark ?? '')?.[1];
}

const anchorsIn = (heading: Element): unknown[] =>
  elementsIn(heading).flatMap(([{ properties }]) => [properties.id, properties.name]);
