/**
 * Converts Word's list paragraphs to lists. Their style names the list and level, and their text includes the marker.
 * Word for the web writes a separate list for each item, with the item's level in an attribute.
 */
export function gatherWordLists(body: HTMLElement): void {
  writeAsWord(body);
  let open: { level: number; readonly list: HTMLElement }[] = [];
  for (const line of body.querySelectorAll<HTMLElement>('[data-css*="mso-list:"]')) {
    const level = Number(/mso-list:[^;]*level(\d)/.exec(line.dataset.css ?? '')?.[1] ?? 0);
    const marker = line.querySelector('[data-css*="mso-list:Ignore"], [data-css*="mso-list: Ignore"]');
    const mark = marker?.textContent?.trim() ?? '';
    if (marker && /^H\d$/.test(line.tagName)) marker.textContent = `${mark} `;
    if (level === 0 || line.tagName !== 'P') continue;
    marker?.remove();
    if (!open[0] || line.previousElementSibling !== open[0].list) open = [];
    while ((open.at(-2)?.level ?? 0) >= level) open.pop();
    let top = open.at(-1);
    if (top && top.level > level) top.level = level;
    if (top?.level === level && !goesOn(top.list, mark)) {
      open.pop();
      top = open.at(-1);
    }
    if (top?.level !== level) {
      const list = listFrom(mark, body.ownerDocument);
      if (top) top.list.lastElementChild?.append(list);
      else line.before(list);
      open.push({ level, list });
    }
    const item = body.ownerDocument.createElement('li');
    item.append(...line.childNodes);
    open.at(-1)?.list.append(item);
    line.remove();
  }
}

const isNumber = (mark: string) => /^\(?(\d+|[a-z]{1,4})[.)]/i.test(mark);
const isFirst = (mark: string) => /^\(?(?:\d+[.)])*(1|a)[.)]*$/i.test(mark);

const goesOn = (list: HTMLElement, mark: string) => (list.tagName === 'OL') === isNumber(mark) && !isFirst(mark);

function listFrom(mark: string, page: Document): HTMLElement {
  const list = page.createElement(isNumber(mark) ? 'ol' : 'ul');
  const [, number = 1] = /(\d+)[.)]*$/.exec(mark) ?? [];
  if (list.tagName === 'OL' && Number(number) !== 1) list.setAttribute('start', `${Number(number)}`);
  return list;
}

function writeAsWord(body: HTMLElement): void {
  for (const item of body.querySelectorAll<HTMLElement>('li[data-aria-level]')) {
    const [line, marker] = [body.ownerDocument.createElement('p'), body.ownerDocument.createElement('span')];
    line.dataset.css = `mso-list:l0 level${item.dataset.ariaLevel}`;
    marker.dataset.css = 'mso-list:Ignore';
    if (item.parentElement?.tagName === 'OL') marker.textContent = `${item.dataset.ariaPosinset}.`;
    for (const words of item.querySelectorAll('p')) words.replaceWith(...words.childNodes);
    line.append(marker, ...item.childNodes);
    (item.closest('.ListContainerWrapper') ?? item.parentElement)?.before(line);
    item.remove();
  }
  for (const emptied of body.querySelectorAll('.ListContainerWrapper')) emptied.remove();
}

/**
 * Sets the state of each list item that has a check box, and removes the box. A box may be text such as `[x]`, or an
 * element of a web page or of Google Docs.
 */
export function readTasks(body: HTMLElement): void {
  for (const input of body.querySelectorAll('input')) {
    const item = input.closest('li');
    if (input.type === 'checkbox' && item) item.dataset.checked = String(input.hasAttribute('checked'));
    input.remove();
  }
  for (const item of body.querySelectorAll<HTMLElement>('li[role="checkbox"]')) {
    item.dataset.checked = String(item.getAttribute('aria-checked') === 'true');
    item.querySelector('img[aria-roledescription="checkbox"]')?.remove();
    // Removes the strikethrough that Google Docs adds to done tasks.
    for (const words of item.querySelectorAll<HTMLElement>('[data-css]'))
      words.dataset.css = words.dataset.css?.replace(/line-through/g, 'none') ?? '';
  }
  for (const item of body.querySelectorAll('li')) {
    const texts = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT);
    let text = texts.nextNode();
    while (text && !text.nodeValue?.trim()) text = texts.nextNode();
    const [box, state] = /^\s*\[([ x])\]\s+/i.exec(text?.nodeValue ?? '') ?? [];
    if (!text || !box || text.parentElement?.closest('li') !== item) continue;
    item.dataset.checked = String(state !== ' ');
    text.nodeValue = text.nodeValue?.slice(box.length) ?? '';
  }
}

const BLOCKS = 'p, div, ul, ol, table, blockquote, pre, figure';

/** Replaces a definition list with a bulleted list and keeps all its text, even text outside `dt` and `dd`. */
export function listDefinitions(list: Element): void {
  const page = list.ownerDocument;
  const items = page.createElement('ul');
  let item: HTMLElement | undefined;
  let hasMeaning = false;
  const begin = () => {
    item = page.createElement('li');
    hasMeaning = false;
    items.append(item);
    return item;
  };
  // Includes terms and definitions inside a `div`, which HTML allows around each pair.
  for (const part of list.querySelectorAll(':scope > :is(dt, dd), :scope > div > :is(dt, dd)')) {
    const isTerm = part.tagName === 'DT';
    const place = !item || (isTerm && hasMeaning) ? begin() : item;
    const words = page.createElement(isTerm ? 'strong' : 'span');
    words.append(...part.childNodes);
    if (place.hasChildNodes() && !words.firstElementChild?.matches(BLOCKS)) place.append(page.createElement('br'));
    place.append(...(isTerm ? [words] : words.childNodes));
    hasMeaning ||= !isTerm;
    part.remove();
  }
  // Puts stray text of an invalid list after the new list.
  if (items.hasChildNodes()) list.before(items);
  list.replaceWith(...list.childNodes);
}
