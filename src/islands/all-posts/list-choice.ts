/** Which list is shown, kept in the address: it survives a reload, and the browser's Back undoes a choice. */

import { useEffect, useState } from 'react';
import type { PostListQuery } from '#stores/posts/post-lists.ts';

export interface ListChoice {
  /** Everybody's active posts, or one's own, active and inactive. */
  readonly scope: 'all' | 'mine';
  readonly search: string;
  readonly order: NonNullable<PostListQuery['order']>;
}

/** Reads the query of an address; what it does not name, or names wrongly, is as it is by default. */
function choiceOf(query: string): ListChoice {
  const given = new URLSearchParams(query);
  return {
    scope: given.get('scope') === 'mine' ? 'mine' : 'all',
    search: given.get('q')?.trim() ?? '',
    order: given.get('order') === 'oldest' ? 'oldest' : 'newest',
  };
}

/** The query that `choiceOf` reads; empty for the list that is shown by default. */
function queryOf({ scope, search, order }: ListChoice): string {
  const query = new URLSearchParams({
    ...(scope === 'mine' && { scope }),
    ...(search && { q: search }),
    ...(order === 'oldest' && { order }),
  }).toString();
  return query && `?${query}`;
}

type Choose = (change: Partial<ListChoice>) => void;

/** The choice in the address, and the way to make another. A search that is typed on is one step back, not many. */
export function useListChoice(): [ListChoice, Choose] {
  const [choice, setChoice] = useState(() => choiceOf(location.search));
  useEffect(() => {
    const follow = () => setChoice(choiceOf(location.search));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);

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
