/**
 * Returns a canonical form of HTML: equal for documents that differ only in white space, nesting order of marks, or
 * omitted `<tbody>` and `<p>` tags; different for any visible difference.
 */
export function canonicalForm(root: HTMLElement): string {
  const tokens: string[] = [];
  flow(withListsInItems(root), 'paragraph', tokens);
  return tokens.join('\n');
}

/**
 * Moves each list that directly follows a list item, as in old HTML, into that item. Returns a repaired copy, or
 * `root` itself if there is nothing to repair.
 */
export function withListsInItems(root: HTMLElement): HTMLElement {
  if (!root.querySelector(STRAY_LIST)) return root;
  const repaired = root.cloneNode(true) as HTMLElement;
  for (const list of repaired.querySelectorAll(STRAY_LIST)) list.previousElementSibling?.append(list);
  return repaired;
}
const STRAY_LIST = ':is(ul, ol) > li + :is(ul, ol)';

const MARKS = new Set(['STRONG', 'EM', 'DEL', 'U', 'SUB', 'SUP', 'MARK', 'CODE', 'A']);
const ATOMS = new Set(['IMG', 'BR']);
/** Elements that are invisible when empty, unlike paragraphs. */
const HOLLOW = new Set(['figcaption', 'figure', 'ul', 'ol', 'blockquote', 'table', 'section']);
const SHOWN = 'img, hr, li, td, th, p, pre, h1, h2, h3, h4, h5, h6, [id]';
const SPACE = /[ \t\r\n\f]+/g;

/** Returns true for inline nodes of stored HTML, and for comments, which must be kept. */
export const isInline = (node: Node): boolean =>
  node.nodeType === Node.TEXT_NODE ||
  node.nodeType === Node.COMMENT_NODE ||
  MARKS.has(node.nodeName) ||
  ATOMS.has(node.nodeName);

export const standsInLine = (node: Node): boolean => isInline(node) || OTHERS.test(node.nodeName);
const OTHERS = /^(?:B|I|S|STRIKE|INS|KBD|SAMP|TT|VAR|SPAN|FONT|SMALL|BIG|Q|CITE|ABBR|DFN|TIME|LABEL|RUBY|BD[IO]|DATA)$/;

/** Adds the tokens of a parent's content. `loose` states whether bare text becomes a paragraph or stays bare. */
function flow(parent: ParentNode, loose: 'paragraph' | 'bare', tokens: string[]): void {
  let line: Run[] = [];
  const flush = () => {
    const words = lineTokens(line);
    line = [];
    if (words.length > 0) tokens.push(...(loose === 'paragraph' ? ['(p', ...words, ')'] : words));
  };
  for (const child of parent.childNodes) {
    if (isInline(child)) collect(child, [], line);
    else if (child instanceof Element) {
      flush();
      block(child, tokens);
    }
  }
  flush();
}

function block(element: Element, tokens: string[]): void {
  const tag = element.tagName.toLowerCase();
  if (tag === 'tbody') {
    flow(element, 'bare', tokens);
    return;
  }
  if (HOLLOW.has(tag) && !element.querySelector(SHOWN) && !element.textContent?.trim()) return;
  tokens.push(`(${tag}${attributes(element)}`);
  if (tag === 'pre') tokens.push(preformatted(element));
  else if (tag === 'td' || tag === 'th') flow(onlyParagraph(element) ?? element, looseIn(element), tokens);
  else if (tag === 'li') flow(element, looseIn(element), tokens);
  else flow(element, tag === 'blockquote' || tag === 'section' ? 'paragraph' : 'bare', tokens);
  tokens.push(')');
}

const looseIn = (element: Element) =>
  [...element.children].some(({ tagName }) => tagName === 'P') && !onlyParagraph(element) ? 'paragraph' : 'bare';

/** Returns a cell's paragraph if it is the cell's only content, because it then counts as equal to bare text. */
function onlyParagraph(cell: Element): Element | undefined {
  const nodes = [...cell.childNodes].filter((node) => node.nodeType !== Node.TEXT_NODE || node.textContent?.trim());
  return cell.tagName !== 'LI' && nodes.length === 1 && nodes[0]?.nodeName === 'P' ? (nodes[0] as Element) : undefined;
}

function preformatted(pre: Element): string {
  const only = pre.childNodes.length === 1 ? pre.firstElementChild : null;
  const code = only?.tagName === 'CODE' ? only : pre;
  const plain = [...code.childNodes].every(({ nodeType }) => nodeType === Node.TEXT_NODE);
  const language = code === pre ? '' : (code.getAttribute('class') ?? '');
  return `${language} ${JSON.stringify(plain ? code.textContent : code.innerHTML)}`;
}

function attributes(element: Element): string {
  const named = [...element.attributes].map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`);
  return named.sort().join('');
}

interface Run {
  readonly marks: string;
  /** Undefined for a run that `atom` describes, such as a picture, line break or comment. */
  text?: string;
  readonly atom?: string;
}

function collect(node: Node, marks: readonly string[], line: Run[]): void {
  if (!(node instanceof Element)) {
    if (node.nodeType === Node.TEXT_NODE) line.push({ marks: markKey(marks), text: node.textContent ?? '' });
    else if (node.nodeType === Node.COMMENT_NODE) line.push({ marks: '', atom: `comment ${node.textContent}` });
  } else if (node.tagName === 'BR') line.push({ marks: '', atom: 'br' });
  else if (node.tagName === 'IMG') line.push({ marks: markKey(marks), atom: `img${attributes(node)}` });
  else if ((node.id || node.hasAttribute('name')) && node.childNodes.length === 0)
    line.push({ marks: '', atom: `empty${attributes(node)}` });
  else if (!isInline(node)) line.push({ marks: '', atom: node.outerHTML });
  else {
    const mark = `${node.tagName.toLowerCase()}${attributes(node)}`;
    // An `a` element without attributes counts as equal to its text.
    const all = mark === 'a' ? marks : [...marks, mark];
    for (const child of node.childNodes) collect(child, all, line);
  }
}

const markKey = (marks: readonly string[]) => [...new Set(marks)].sort().join('+');

function lineTokens(line: readonly Run[]): string[] {
  const runs: Run[] = [];
  for (const { marks, text, atom } of line) {
    const last = runs.at(-1);
    if (text === undefined) {
      if (atom === 'br' && last?.text !== undefined) last.text = last.text.replace(/ $/, '');
      runs.push({ marks, ...(atom && { atom }) });
      continue;
    }
    let words = text.replace(SPACE, ' ');
    if (words.startsWith(' ') && (!last || last.atom === 'br' || last.text?.endsWith(' '))) words = words.slice(1);
    if (words === '') continue;
    if (last?.text !== undefined && last.marks === marks) last.text += words;
    else runs.push({ marks, text: words });
  }
  const last = runs.at(-1);
  if (last?.text !== undefined) last.text = last.text.replace(/ $/, '');
  return runs
    .filter(({ text }) => text !== '')
    .map(({ marks, text, atom }) => `[${marks}] ${text === undefined ? atom : JSON.stringify(text)}`);
}
