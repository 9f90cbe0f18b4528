const MARK = /^[\s[(]*[\w*†‡§]{1,4}[\])\s]*$/;

/**
 * Collects footnotes pasted from Word, LibreOffice, Google Docs, GitHub, WordPress and Pandoc. In all of them, a
 * reference and its note link to each other.
 */
export function gatherFootnotes(body: HTMLElement): void {
  const page = body.ownerDocument;
  const notes = [...notesOf(body)].map(([place, marks]) => ({ place, marks }));
  const places = new Set(notes.map(({ place }) => place));
  const all = new Set(notes.flatMap(({ marks }) => marks));
  const gathered = notes.map(({ place, marks }) => ({ block: blockOf(place, places, all), marks }));
  const list = page.createElement('ol');
  for (const [index, { block, marks }] of gathered.entries()) {
    const number = index + 1;
    const names = new Set(marks.flatMap(namesOf));
    for (const link of block.querySelectorAll('a')) if (names.has(targetIdOf(link))) link.remove();
    const note = page.createElement('li');
    note.id = `fn-${number}`;
    note.append(...(block.tagName === 'P' ? [block.cloneNode(true)] : block.childNodes));
    for (const line of note.querySelectorAll('hr, br[clear]')) line.remove();
    if (!note.querySelector('p')) {
      const words = page.createElement('p');
      words.append(...note.childNodes);
      note.append(words);
    }
    const last = [...note.querySelectorAll('p')].at(-1);
    list.append(note);
    clear(block, body);
    for (const [which, mark] of marks.entries()) {
      const again = which > 0 ? `-${number}-${which + 1}` : `-${number}`;
      last?.append(' ', link(page, `#fnref${again}`, 'footnoteBackref', '↩'));
      if (which > 0) last?.lastElementChild?.append(raised(page, `${which + 1}`));
      const reference = link(page, `#fn-${number}`, 'footnoteRef', `${number}`);
      reference.id = `fnref${again}`;
      const around = mark.closest('sup');
      (around?.textContent === mark.textContent ? around : mark)?.replaceWith(raised(page, reference));
    }
  }
  if (!list.firstChild) return;
  const section = page.createElement('section');
  section.dataset.footnotes = '';
  section.append(list);
  body.append(section);
}

function notesOf(body: HTMLElement): Map<Element, HTMLAnchorElement[]> {
  const places = new Map<string, Element>();
  for (const place of body.querySelectorAll('[id], [name]'))
    for (const name of namesAt(place)) if (!places.has(name)) places.set(name, place);
  const notes = new Map<Element, HTMLAnchorElement[]>();
  for (const mark of body.querySelectorAll('a')) {
    const place = places.get(targetIdOf(mark));
    if (!place || !MARK.test(mark.textContent ?? '') || place.closest('h1, h2, h3, h4, h5, h6')) continue;
    const follows = mark.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING;
    const names = namesOf(mark);
    const back = [...(place.closest('li, p, dd, div')?.querySelectorAll('a') ?? [])];
    if (follows && back.some((each) => names.includes(targetIdOf(each))))
      notes.set(place, [...(notes.get(place) ?? []), mark]);
  }
  return notes;
}

const targetIdOf = (link: Element) => /#(.+)$/.exec(link.getAttribute('href') ?? '')?.[1] ?? '';

const namesAt = (place: Element | null | undefined) =>
  [place?.id, place?.getAttribute('name')].filter((name): name is string => Boolean(name));

const namesOf = (mark: Element): string[] =>
  [mark, mark.parentElement, mark.parentElement?.parentElement].flatMap(namesAt);

/** Returns the complete note: the outermost element around its target that contains no other target or reference. */
function blockOf(place: Element, places: ReadonlySet<Element>, marks: ReadonlySet<Element>): Element {
  let block = place.closest('li, p, dd, div') ?? place;
  for (let around = block.parentElement; around?.matches('div, li'); around = around.parentElement) {
    const inside = [...around.querySelectorAll('*')];
    if (inside.some((each) => marks.has(each)) || inside.filter((each) => places.has(each)).length > 1) break;
    block = around;
  }
  return block;
}

function clear(block: Element, body: Element): void {
  let gone = block;
  for (let around = gone.parentElement; around && around !== body; around = around.parentElement) {
    const left = [...around.children].filter((each) => each !== gone && !each.matches('h1, h2, h3, h4, h5, h6'));
    if (left.some((each) => each.textContent?.trim() || each.querySelector('img'))) break;
    gone = around;
  }
  const above = gone.previousElementSibling;
  if (above?.tagName === 'HR' && gone.tagName !== 'SECTION' && !gone.nextElementSibling) above.remove();
  gone.remove();
}

function raised(page: Document, inside: Node | string): HTMLElement {
  const sup = page.createElement('sup');
  sup.append(inside);
  return sup;
}

function link(page: Document, href: string, kind: 'footnoteRef' | 'footnoteBackref', text: string): HTMLElement {
  const made = page.createElement('a');
  made.setAttribute('href', href);
  made.dataset[kind] = '';
  made.textContent = text;
  return made;
}
