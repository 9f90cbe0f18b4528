/**
 * Replaces an image that failed by the next address of `data-fallback` (preview, view, download), and marks it `data-
 * lost` after the last. One with a description keeps its place, where browsers show that.
 */
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
