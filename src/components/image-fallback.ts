/** Pictures that fail to load: the next of their other addresses, at last the empty frame. Plain DOM, for pages and islands. */

/** Call it when `image` did not load: takes the next address of `data-fallback` (preview → view → download), then gives the picture up. One without such addresses, in a text, keeps its place: browsers show its description there. */
export function fallBackToDownload(image: HTMLImageElement): void {
  const { fallback } = image.dataset;
  if (fallback === undefined) return;
  const [next, ...rest] = fallback.split(' ');
  if (next) {
    image.dataset.fallback = rest.join(' ');
    image.removeAttribute('srcset');
    image.src = next;
  } else image.hidden = true;
}
