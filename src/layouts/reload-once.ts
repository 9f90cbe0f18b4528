/**
 * A part of the page that did not load, most often because a new version was put in its place: load the page anew,
 * once; when that did not help, say so in the part's place. Whoever loads a part sends `common-ink:load-failed` from
 * that place, or `common-ink:loaded`.
 */
const KEY = 'common-ink:reloaded';

export function watchLoads(): void {
  addEventListener('common-ink:load-failed', ({ target }) => reloadOnce(target as HTMLElement));
  addEventListener('common-ink:loaded', () => sessionStorage.removeItem(KEY));
}

function reloadOnce(place: HTMLElement): void {
  if (!sessionStorage.getItem(KEY)) {
    sessionStorage.setItem(KEY, '1');
    location.reload();
    return;
  }
  place.role = 'alert';
  // The words are in the page: the catalogue would be one more file for every reader.
  place.textContent = document.body.dataset.unexpected ?? '';
}
