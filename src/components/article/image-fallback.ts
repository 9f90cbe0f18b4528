/** Tries the next URL in `data-fallback` for a picture that failed to load, and sets `data-lost` if none is left. */
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
