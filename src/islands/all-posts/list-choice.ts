/** Stores the chosen list in the URL, and its length and scroll position in the history entry, for the Back button. */

import { useState } from 'react';
import { MOST_AT_ONCE } from '#stores/posts/live-posts.ts';
import type { PostListQuery } from '#stores/posts/post-lists.ts';
import { $posts } from '#stores/posts/posts.ts';
import { useWindowEvent } from '../use-window-event.ts';

export interface ListChoice {
  readonly scope: 'all' | 'mine' | 'pages';
  readonly search: string;
  readonly order: NonNullable<PostListQuery['order']>;
}

const SCOPES = ['all', 'mine', 'pages'] as const;

function choiceOf(query: string): ListChoice {
  const given = new URLSearchParams(query);
  return {
    scope: SCOPES.find((scope) => scope === given.get('scope')) ?? 'all',
    search: given.get('q')?.trim() ?? '',
    order: given.get('order') === 'oldest' ? 'oldest' : 'newest',
  };
}

function queryOf({ scope, search, order }: ListChoice): string {
  const query = new URLSearchParams({
    ...(scope !== 'all' && { scope }),
    ...(search && { q: search }),
    ...(order === 'oldest' && { order }),
  }).toString();
  return query && `?${query}`;
}

export type Choose = (change: Partial<ListChoice>) => void;

/** Returns the current choice and its setter. Replacing one search with another adds no history entry. */
export function useListChoice(): [ListChoice, Choose] {
  const [choice, setChoice] = useState(() => choiceOf(location.search));
  useWindowEvent('popstate', () => setChoice(choiceOf(location.search)));

  const choose: Choose = (change) => {
    const before = choiceOf(location.search);
    const chosen = { ...before, ...change };
    if (queryOf(chosen) === queryOf(before)) return;
    const address = location.pathname + queryOf(chosen);
    const typesOn = Boolean(before.search && chosen.search) && chosen.search !== before.search;
    if (typesOn) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    setChoice(chosen);
  };
  return [choice, choose];
}

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
