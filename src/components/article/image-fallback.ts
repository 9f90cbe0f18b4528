/** Pictures that fail to load: the next of their other addresses, at last the empty frame. Plain DOM, for pages and islands. */

/** Call it when `image` did not load: takes the next address of `data-fallback` (preview → view → download), then gives the picture up: `data-lost`. One with a description keeps its place, where browsers show it. */
export function fallBackToDownload(image: HTMLImageElement): void {
  const { fallback } = image.dataset;
  if (fallback === undefined) return;
  const [next, ...rest] = fallback.split(' ');
  if (next) {
    image.dataset.fallback = rest.join(' ');
    image.removeAttribute('srcset');
    image.src = next;
    return;
  }
  image.hidden = !image.alt;
  image.dataset.lost = '';
}
