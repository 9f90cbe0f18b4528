/** Coming back to a list from one of its posts: as much of it is shown as was, at the same place. */

import { useEffect } from 'react';
import { MOST_AT_ONCE } from '#stores/posts/live-posts.ts';
import { $posts } from '#stores/posts/posts.ts';

interface ScrollPosition {
  /** Posts that were shown. */
  readonly shown: number;
  /** How far the page was scrolled, in pixels. */
  readonly top: number;
}

/** The scroll position when this entry of the browser's history was left; undefined for a new one. */
export function savedPosition(): ScrollPosition | undefined {
  const { shown, top } = (history.state ?? {}) as Partial<ScrollPosition>;
  if (typeof shown !== 'number' || typeof top !== 'number') return undefined;
  return { shown: Math.min(shown, MOST_AT_ONCE), top };
}

/** Notes the place when the page is left. */
export function useSavePosition(): void {
  useEffect(() => {
    const note = () => {
      const place: ScrollPosition = { shown: $posts.get().posts.length, top: scrollY };
      history.replaceState(place, '');
    };
    window.addEventListener('pagehide', note);
    return () => window.removeEventListener('pagehide', note);
  }, []);
}
