import { useId, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { Button } from '#components/controls/Button.tsx';
import { controlClass } from '#components/controls/Field.tsx';

export function SearchField({ label, onSearch }: { label: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState('');
  const id = useId();
  return (
    <search>
      <form
        className="flex gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
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
  );
}
