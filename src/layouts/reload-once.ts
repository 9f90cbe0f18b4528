/**
 * A part of the page that did not load, most often because a new version was put in its place: load the page anew,
 * once; when that did not help, say so in the part's place. Whoever loads a part sends `common-ink:load-failed` from
 * that place, or `common-ink:loaded`.
 */
const KEY = 'common-ink:reloaded';

/** Of each part by itself: that another one came says nothing about it. */
const markOf = (place: EventTarget | null) => `${KEY} ${(place as Element).getAttribute('component-url')}`;

export function reloadFailedLoads(): void {
  addEventListener('common-ink:load-failed', ({ target }) => reloadOnce(target as HTMLElement));
  // In no hurry: the first question to this storage holds the page up until another process has answered.
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
  // The words are in the page: the catalogue would be one more file for every reader.
  place.textContent = document.body.dataset.unexpected ?? '';
}
