import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { allPostsText } from '#blog/messages/all-posts.ts';
import { controlClass } from '#components/controls/Field.tsx';
import { Icon } from '#components/icons/Icon.tsx';
import type { Choose, ListChoice } from './list-choice.ts';

const PAUSE_MS = 300;

export function ListControls({ choice, onChoose }: { choice: ListChoice; onChoose: Choose }) {
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3">
      <Switch
        label={allPostsText.which}
        value={choice.scope}
        options={{ all: allPostsText.all, mine: allPostsText.mine, pages: allPostsText.pages }}
        onChoose={(scope) => onChoose({ scope })}
      />
      <TitleSearch search={choice.search} onSearch={(search) => onChoose({ search })} />
      <Switch
        label={allPostsText.order}
        value={choice.order}
        options={{ newest: allPostsText.newest, oldest: allPostsText.oldest }}
        onChoose={(order) => onChoose({ order })}
      />
    </div>
  );
}

interface SwitchProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChoose: (value: Value) => void;
}

function Switch<Value extends string>({ label, value, options, onChoose }: SwitchProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are buttons.
    <div role="group" aria-label={label} className="inline-flex gap-1 rounded-md border border-hairline p-1">
      {(Object.keys(options) as Value[]).map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={value === option}
          onClick={() => onChoose(option)}
          className="min-h-11 rounded-sm px-4 text-base text-soft hover:text-ink aria-pressed:bg-well aria-pressed:font-medium aria-pressed:text-ink forced-colors:aria-pressed:outline-2"
        >
          {options[option]}
        </button>
      ))}
    </div>
  );
}

function TitleSearch({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const id = useId();
  const [text, setText] = useState(search);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(search);
  // Updates the field after Back or "Show all", but not after a search from the field: the user may still be typing.
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(pause.current), []);

  const searchFor = (words: string, delay: number) => {
    setText(words);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      sent.current = words.trim();
      onSearch(sent.current);
    }, delay);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    searchFor(text, 0);
  };
  return (
    <search className="order-last w-full min-w-0 lg:order-none lg:w-auto lg:grow">
      <form onSubmit={onSubmit} className="relative">
        <label htmlFor={id} className="sr-only">
          {allPostsText.searchLabel}
        </label>
        <Icon name="search" className="pointer-events-none absolute start-3.5 top-4 size-5 text-soft" />
        <input
          id={id}
          type="search"
          autoComplete="off"
          enterKeyHint="search"
          placeholder={allPostsText.searchLabel}
          value={text}
          onChange={({ target }) => searchFor(target.value, PAUSE_MS)}
          className={`${controlClass} min-h-13 ps-11`}
        />
      </form>
    </search>
  );
}
