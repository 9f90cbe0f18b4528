/** Turns a definition list, which stored HTML does not have, into a list whose items hold a term and its meanings. */

const BLOCKS = 'p, div, ul, ol, table, blockquote, pre, figure';

/** Replaces `list`; every word stays, also beside the terms. */
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
  // A group of HTML 5 is a `div` around a pair.
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
  // Words of an invalid list stand behind it.
  if (items.hasChildNodes()) list.before(items);
  list.replaceWith(...list.childNodes);
}
