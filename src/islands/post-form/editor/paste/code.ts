/** Turns each code block into a `pre` with one `code` element, even if only its style marks it as code. */
export function readCode(body: HTMLElement): void {
  const parts = [...body.children] as HTMLElement[];
  // Adds the `<pre>` element that is missing from lines copied inside a code block.
  if (parts.length > 0 && parts.every(looksLikeCode) && linesOf(body).trim().includes('\n')) gather(body, parts);
  for (const block of body.querySelectorAll<HTMLElement>('div[data-css]'))
    if (looksLikeCode(block) && linesOf(block).trim().includes('\n')) gather(block, [block]);
  for (const first of body.querySelectorAll('p')) if (first.textContent?.includes('\uec03')) gatherDocsCode(first);
  for (const pre of body.querySelectorAll('pre')) readBlock(pre);
  for (const code of body.querySelectorAll(':not(pre) > code')) code.removeAttribute('class');
}

const looksLikeCode = ({ dataset: { css = '' }, tagName }: HTMLElement): boolean =>
  tagName === 'BR' ||
  (styleOf(css, 'white-space', /^pre\s*$/i) && styleOf(css, 'font-family', /mono|courier|consolas|menlo/i));

function gather(whole: HTMLElement, parts: readonly HTMLElement[]): void {
  const pre = whole.ownerDocument.createElement('pre');
  pre.textContent = linesOf(whole);
  parts[0]?.before(pre);
  for (const part of parts) part.remove();
}

/** Moves code from Google Docs, which delimits it with private-use characters, into one block. */
function gatherDocsCode(first: Element): void {
  const lines = [first];
  for (let next = first.nextElementSibling; next && !lines.at(-1)?.textContent?.includes('\uec02'); ) {
    lines.push(next);
    next = next.nextElementSibling;
  }
  const pre = first.ownerDocument.createElement('pre');
  first.before(pre);
  pre.append(...lines);
  pre.textContent = linesOf(pre)
    .replace(/[\uec02\uec03]/g, '')
    .trimEnd();
}

/** Reduces a block to plain code. Reads only its `code` element if it has exactly one, to skip labels and buttons. */
function readBlock(pre: HTMLElement): void {
  const [code, another] = pre.querySelectorAll('code');
  const around = [code, pre, pre.parentElement];
  const classes = around.map((each) => each?.getAttribute('class') ?? '').join(' ');
  const [, named] = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]+)/.exec(classes) ?? [];
  const language = named ?? around.map((each) => each?.getAttribute('data-language')).find(Boolean);
  const plain = pre.ownerDocument.createElement('code');
  plain.textContent = linesOf(code && !another ? code : pre).replace(/\n$/, '');
  if (language) plain.className = `language-${language.toLowerCase()}`;
  pre.replaceChildren(plain);
}

function linesOf(element: Element): string {
  let lines = '';
  const read = (node: Node) => {
    if (node instanceof Text) lines += node.data;
    if (node.nodeName === 'BR') lines += '\n';
    const isLine = /^(DIV|P|LI|TR)$/.test(node.nodeName);
    if (isLine && lines && !lines.endsWith('\n')) lines += '\n';
    const before = lines.length;
    for (const inside of node.childNodes) read(inside);
    if (isLine && (lines.length === before || !lines.endsWith('\n'))) lines += '\n';
  };
  for (const inside of element.childNodes) read(inside);
  return lines;
}

/** Returns true if `property` has a matching value. Ignores longer names that end with it, such as `mso-` ones. */
export function styleOf(css: string, property: string, value: RegExp): boolean {
  const [, found] = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(css) ?? [];
  return found !== undefined && value.test(found);
}
