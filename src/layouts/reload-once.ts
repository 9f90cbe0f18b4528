/**
 * Reloads the page once when an island fails to load, usually after a deployment. If it fails again, an error is shown
 * in its place. `session.ts` dispatches `common-ink:load-failed` there.
 */
const KEY = 'common-ink:reloaded';

/** Each island has its own mark, because another island's success says nothing about it. */
const markOf = (place: EventTarget | null) => `${KEY} ${(place as Element).getAttribute('component-url')}`;

export function reloadFailedLoads(): void {
  for (const type of ['common-ink:load-failed', 'astro:hydration-error']) {
    addEventListener(type, ({ target }) => reloadOnce(target as HTMLElement));
  }
  addEventListener('astro:hydrate', ({ target }) => loaded(target), true);
}

/** Runs when idle, because the first access to session storage blocks the page. */
export function loaded(place: EventTarget | null): void {
  const { requestIdleCallback: whenIdle = setTimeout } = window as Partial<typeof window>;
  whenIdle(() => sessionStorage.removeItem(markOf(place)));
}

export function reloadOnce(place: HTMLElement): void {
  const mark = markOf(place);
  if (!sessionStorage.getItem(mark)) {
    sessionStorage.setItem(mark, '1');
    location.reload();
    return;
  }
  place.role = 'alert';
  // The text is in the page, which saves every reader from loading a message catalogue.
  place.textContent = document.body.dataset.unexpected ?? '';
}
