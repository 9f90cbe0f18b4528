/** Saves the list's length and scroll position in the history entry, so that Back restores both. */

import { MOST_AT_ONCE } from '#stores/posts/live-posts.ts';
import { $posts } from '#stores/posts/posts.ts';
import { useWindowEvent } from '../use-window-event.ts';

interface ScrollPosition {
  readonly shown: number;
  /** Scroll offset in CSS pixels. */
  readonly top: number;
}

/** Returns the position saved with this history entry; undefined for a new entry. */
export function savedPosition(): ScrollPosition | undefined {
  const { shown, top } = (history.state ?? {}) as Partial<ScrollPosition>;
  if (typeof shown !== 'number' || typeof top !== 'number') return undefined;
  return { shown: Math.min(shown, MOST_AT_ONCE), top };
}

export function useSavePosition(): void {
  useWindowEvent('pagehide', () => {
    const place: ScrollPosition = { shown: $posts.get().posts.length, top: scrollY };
    history.replaceState(place, '');
  });
}
