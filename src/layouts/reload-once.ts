/** Reloads the page if an island fails to load, usually after a deployment; on a second failure, shows an error. */
const KEY = 'common-ink:reloaded';

/** Returns the key that marks an island's reload. Each island has its own, so another's success does not remove it. */
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
  // The text comes from the page, so that readers need not load a message catalogue.
  place.textContent = document.body.dataset.unexpected ?? '';
}
