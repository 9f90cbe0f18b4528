/**
 * Replaces a failed image by the next address in `data-fallback` (preview, view, download). Marks it `data-lost` after
 * the last one.
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
