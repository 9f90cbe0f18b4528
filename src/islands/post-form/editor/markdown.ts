/** Markdown as a writer pastes it, as HTML that the editor's paste reads. Loaded with the first text that looks like it. */

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { inertBody } from './stored-rules.ts';

/** What generators of sites read from the head of a file: shown, because it holds words of the writer's. */
const FRONT_MATTER = /^---[ \t]*\n((?:[\w-]+:.*\n(?:[ \t-].*\n)*)+)---[ \t]*\n/;
/** No address, and no picture of this blog. */
const PATH = /^(?![a-z][a-z\d+.-]*:|\/\/|\/v1\/).+/i;

/** GitHub's Markdown; tags in it are text but for `<br>`, and a line break is a line break. */
export function htmlOfMarkdown(text: string): string {
  const body = inertBody(
    micromark(text.replace(/\r\n?/g, '\n').replace(FRONT_MATTER, '```yaml\n$1```\n'), {
      extensions: [gfm()],
      // Pictures stand in it as data; what reads pastes takes links that are none away.
      allowDangerousProtocol: true,
      htmlExtensions: [gfmHtml({ clobberPrefix: '', label: '' })],
    }),
  );
  // A path leads to a folder of the writer's.
  for (const picture of body.querySelectorAll('img'))
    picture.setAttribute('src', (picture.getAttribute('src') ?? '').replace(PATH, 'file:$&'));
  for (const code of body.querySelectorAll('pre > code')) code.textContent = code.textContent?.replace(/\n$/, '') ?? '';
  for (const note of body.querySelectorAll('section[data-footnotes]')) plainNotes(note);
  for (const reference of body.querySelectorAll('[data-footnote-ref]')) reference.removeAttribute('aria-describedby');
  keepBreaks(body);
  return body.innerHTML;
}

/** The notes' heading is the page's business. */
function plainNotes(section: Element): void {
  section.querySelector(':scope > h2')?.remove();
  section.removeAttribute('class');
  for (const back of section.querySelectorAll('[data-footnote-backref]')) {
    back.removeAttribute('class');
    back.removeAttribute('aria-label');
  }
}

/** Writers end a line where they want it to end. Line ends beside a block or a break are how the HTML is written. */
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
