/** Keeps the chosen list in the URL, so that a reload keeps it and Back reverts it. */

import { useState } from 'react';
import type { PostListQuery } from '#stores/posts/post-lists.ts';
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

/** Returns the current choice and its setter. Changing one search into another adds no history entry. */
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
