import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { controlClass } from '#components/controls/Field.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import type { useWork } from '../use-work.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  /** Identifies the next page; undefined on the last one. */
  readonly next?: string | undefined;
  /** Number of items that match the search; undefined if the server does not count them. */
  readonly total?: number;
}

interface SearchListProps {
  readonly label: string;
  readonly list: {
    readonly failure: string;
    readonly isLoading: boolean;
    /** True to show a spinner below the items. */
    readonly isSpinning: boolean;
    readonly hasMore: boolean;
    readonly search: (text: string) => void;
    readonly more: () => void;
  };
  readonly work: Pick<ReturnType<typeof useWork>, 'said' | 'failure' | 'clear'>;
  /** Shown in the status line unless the last action has reported success there. */
  readonly status: ReactNode;
  readonly children: ReactNode;
  /** A button below the list. */
  readonly aside?: ReactNode;
}

/** A list with a search field, the outcome of its last action, and a button that loads more. */
export function SearchList({ label, list, work, status, children, aside }: SearchListProps) {
  const { failure, isLoading, isSpinning, hasMore, search, more } = list;
  const [text, setText] = useState('');
  const id = useId();
  return (
    <>
      <search>
        <form
          className="flex gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            work.clear();
            search(text.trim());
          }}
        >
          <label htmlFor={id} className="sr-only">
            {label}
          </label>
          <input
            id={id}
            type="search"
            value={text}
            maxLength={100}
            placeholder={label}
            onChange={({ target }) => setText(target.value)}
            className={`${controlClass} min-w-0 flex-1`}
          />
          <Button type="submit" tone="quiet">
            {peopleText.search}
          </Button>
        </form>
      </search>
      <p role="status" className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
        {work.said || status}
      </p>
      <Banner message={work.failure || failure} className="my-3 empty:hidden" />
      <ul className="list-none divide-y divide-hairline border-t border-hairline p-0">{children}</ul>
      {isSpinning && <Spinner label={peopleText.loading} />}
      <div className="mt-6 flex flex-wrap gap-3">
        {hasMore && (
          <Button tone="quiet" busy={isLoading} onClick={more}>
            {peopleText.more}
          </Button>
        )}
        {aside}
      </div>
    </>
  );
}

/** Loads a list page by page, ignoring outdated responses. @param fetchPage gets '' as `next` for the first page */
export function usePages<Item>(
  fetchPage: (search: string, next: string) => Promise<Page<Item>>,
  message: (error: unknown) => string,
) {
  const [shown, setShown] = useState<Page<Item>>();
  const [failure, setFailure] = useState('');
  const [isLoading, setLoading] = useState(false);
  const asked = useRef({ text: '' });

  /** Fetches the pages after `before` until there are at least `least` items or the last page is reached. */
  const load = async (text: string, least: number, before: Page<Item> = { items: [], next: '' }) => {
    const mine = { text };
    asked.current = mine;
    setLoading(true);
    setFailure('');
    try {
      let all = before;
      while (all.items.length < least && all.next !== undefined) {
        const page = await fetchPage(text, all.next);
        all = { ...page, items: [...all.items, ...page.items] };
      }
      if (mine === asked.current) setShown(all);
    } catch (error) {
      if (mine === asked.current) setFailure(message(error));
    } finally {
      if (mine === asked.current) setLoading(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the list is shown.
  useEffect(() => void load('', 1), []);
  const count = shown?.items.length ?? 0;
  return {
    ...{ shown, failure, isLoading },
    isSpinning: !shown && !failure,
    hasMore: shown?.next !== undefined,
    search: (text: string) => void load(text, 1),
    more: () => void load(asked.current.text, count + 1, shown),
    /** Fetches all shown pages again, because an action may move items between them. */
    reload: () => load(asked.current.text, Math.max(count, 1)),
  };
}
