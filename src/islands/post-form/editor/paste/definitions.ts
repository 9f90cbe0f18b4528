const BLOCKS = 'p, div, ul, ol, table, blockquote, pre, figure';

/** Replaces `list` and keeps all its text, even beside the terms. */
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
  // HTML 5 allows a `div` around each pair.
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
  // Stray text of an invalid list goes after it.
  if (items.hasChildNodes()) list.before(items);
  list.replaceWith(...list.childNodes);
}
