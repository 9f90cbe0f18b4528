/** Pictures that fail to load: the next of their other addresses, at last the empty frame. Plain DOM, for pages and islands. */

/** Call it when `image` did not load: takes the next address of `data-fallback` (preview → view → download), then gives the picture up. */
export function fallBackToDownload(image: HTMLImageElement): void {
  const [next, ...rest] = (image.dataset.fallback ?? '').split(' ');
  if (next) {
    image.dataset.fallback = rest.join(' ');
    image.removeAttribute('srcset');
    image.src = next;
  } else image.hidden = true;
}
