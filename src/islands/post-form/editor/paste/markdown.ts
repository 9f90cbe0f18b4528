import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { inertBody } from '../html/inert-document.ts';

/** Matches front matter. It is kept as a code block, because it is part of the writer's text. */
const FRONT_MATTER = /^---[ \t]*\n((?:[\w-]+:.*\n(?:[ \t-].*\n)*)+)---[ \t]*\n/;
const PATH = /^(?![a-z][a-z\d+.-]*:|\/\/|\/v1\/).+/i;

/** Converts GitHub Flavored Markdown. Tags except `<br>` become text, and newlines within a block become `<br>`. */
export function htmlOfMarkdown(text: string): string {
  const body = inertBody(
    micromark(withTasks(text.replace(/\r\n?/g, '\n')).replace(FRONT_MATTER, '```yaml\n$1```\n'), {
      extensions: [gfm()],
      // Keeps `data:` URLs of pictures; unsafe links are dropped later in the paste.
      allowDangerousProtocol: true,
      htmlExtensions: [gfmHtml({ clobberPrefix: '', label: '' })],
    }),
  );
  // Marks relative paths of pictures as local (`file:`), because they refer to the writer's folder.
  for (const picture of body.querySelectorAll('img'))
    picture.setAttribute('src', (picture.getAttribute('src') ?? '').replace(PATH, 'file:$&'));
  for (const code of body.querySelectorAll('pre > code')) code.textContent = code.textContent?.replace(/\n$/, '') ?? '';
  for (const note of body.querySelectorAll('section[data-footnotes]')) plainNotes(note);
  for (const reference of body.querySelectorAll('[data-footnote-ref]')) reference.removeAttribute('aria-describedby');
  keepBreaks(body);
  return body.innerHTML;
}

/** Adds missing list markers to tasks such as `[x] words`, like the input rule. Leaves text with fenced code as is. */
const withTasks = (text: string): string =>
  /^ {0,3}(?:```|~~~)/m.test(text) ? text : text.replace(/^\[[ x]\][ \t]/gim, '- $&');

function plainNotes(section: Element): void {
  section.querySelector(':scope > h2')?.remove();
  section.removeAttribute('class');
  for (const back of section.querySelectorAll('[data-footnote-backref]')) {
    back.removeAttribute('class');
    back.removeAttribute('aria-label');
  }
}

function keepBreaks(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('p, li, td, th') && !node.parentElement.closest('pre')) texts.push(node as Text);
  }
  for (const text of texts) {
    const { previousSibling: before, nextSibling: after } = text;
    if (!before || SETS_APART.test(before.nodeName)) text.data = text.data.replace(/^\n/, '');
    if (!after || SETS_APART.test(after.nodeName)) text.data = text.data.replace(/\n$/, '');
    const [first = '', ...lines] = text.data.split(text.parentElement?.closest('code') ? '\n' : /\n|<br *\/?>/i);
    text.replaceWith(first, ...lines.flatMap((line) => [body.ownerDocument.createElement('br'), line]));
  }
}

const SETS_APART = /^(BR|P|LI|UL|OL|PRE|BLOCKQUOTE|TABLE|H[1-6]|HR|SECTION)$/;
