/**
 * Reloads the page once when a part of it could not be loaded, most often after a new version was deployed. If that
 * does
 * not help, the part's place says so. The loader of a part sends `common-ink:loaded` or `common-ink:load-failed` from
 * there.
 */
const KEY = 'common-ink:reloaded';

/** A mark for each part: another one's success says nothing about it. */
const markOf = (place: EventTarget | null) => `${KEY} ${(place as Element).getAttribute('component-url')}`;

export function reloadFailedLoads(): void {
  addEventListener('common-ink:load-failed', ({ target }) => reloadOnce(target as HTMLElement));
  // Runs when idle, because the first access to session storage blocks the page.
  addEventListener('common-ink:loaded', ({ target }) => {
    const { requestIdleCallback: whenIdle = setTimeout } = window as Partial<typeof window>;
    whenIdle(() => sessionStorage.removeItem(markOf(target)));
  });
}

function reloadOnce(place: HTMLElement): void {
  const mark = markOf(place);
  if (!sessionStorage.getItem(mark)) {
    sessionStorage.setItem(mark, '1');
    location.reload();
    return;
  }
  place.role = 'alert';
  // The text is in the page: a catalogue would be one more file for every reader.
  place.textContent = document.body.dataset.unexpected ?? '';
}
