/** The tags of a post: chips with buttons, and a combobox that suggests tags in use (WAI-ARIA, editable combobox). */

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { detailText } from '#blog/messages/post-details.ts';
import { TAGS_MOST, tagSchema } from '#blog/post-details.ts';
import { foldedTag } from '#blog/tags/folded-tag.ts';
import { controlClass, Field } from '#components/controls/Field.tsx';
import { Icon } from '#components/icons/Icon.tsx';
import { type TagInUse, tagsInUse } from '#stores/posts/tags-in-use.ts';
import { isComposing } from '../is-composing.ts';

const SUGGESTED = 8;

interface TagsFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
}

export function TagsField({ tags, onChange }: TagsFieldProps) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<readonly TagInUse[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [fault, setFault] = useState('');
  const [said, setSaid] = useState('');
  const isFull = tags.length >= TAGS_MOST;
  const suggestions = isOpen && !isFull ? matching(known, typed, tags) : [];

  useEffect(() => input.current?.setCustomValidity(typed.trim() && fault), [typed, fault]);

  const remove = (name: string) => {
    onChange(tags.filter((tag) => tag !== name));
    setSaid(detailText.removed({ name }));
    setFault('');
    input.current?.focus();
  };
  /** Adds the comma-separated tags in `text`. Rejected tags stay in the input. */
  const take = (text: string) => {
    const names = text.split(',').filter((name) => name.trim() !== '');
    if (names.length === 0) return;
    const all = [...tags];
    const left: string[] = [];
    let why = '';
    for (const name of names) {
      const { data, error } = tagSchema.safeParse(name);
      const there = data && all.find((tag) => foldedTag(tag) === foldedTag(data));
      if (there && names.length === 1) why = detailText.isThere({ name: there });
      if (there) continue;
      if (data && all.length < TAGS_MOST) all.push(data);
      else {
        left.push(name.trim());
        why ||= error?.issues[0]?.message ?? detailText.tagsFull({ most: TAGS_MOST });
      }
    }
    setTyped(left.join(', '));
    setFault(why);
    setActive(-1);
    if (all.length === tags.length) return;
    onChange(all);
    setSaid(detailText.added({ name: all.slice(tags.length).join(', ') }));
  };
  const type = (text: string) => {
    setFault('');
    setActive(-1);
    setOpen(true);
    if (text.includes(',') && !isFull) take(text);
    else setTyped(text);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return;
    const { key } = event;
    if (key === 'Enter') {
      event.preventDefault();
      take(suggestions[active]?.name ?? typed);
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (suggestions.length === 0) return setOpen(true);
      event.preventDefault();
      const count = suggestions.length + 1;
      setActive(((active + 1 + (key === 'ArrowDown' ? 1 : count - 1)) % count) - 1);
    } else if (key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
      setActive(-1);
    } else if (key === 'Backspace' && typed === '') {
      const last = tags.at(-1);
      if (last !== undefined) remove(last);
    }
  };
  return (
    <div className="relative">
      <Field
        label={detailText.tags}
        error={fault}
        help={isFull ? detailText.tagsFull({ most: TAGS_MOST }) : detailText.tagsHelp}
      >
        {(wiring) => (
          <div className="grid gap-2">
            {tags.length > 0 && (
              <ul aria-label={detailText.chosen} className="flex list-none flex-wrap gap-2 p-0">
                {tags.map((name) => (
                  <li key={name} className="flex max-w-full items-center rounded-md bg-well ps-3 text-sm wrap-anywhere">
                    <bdi className="min-w-0">{name}</bdi>
                    <button
                      type="button"
                      aria-label={detailText.remove({ name })}
                      onClick={() => remove(name)}
                      className="grid size-9 shrink-0 cursor-pointer place-items-center rounded-md text-soft hover:text-ink pointer-coarse:size-11"
                    >
                      <Icon name="close" className="size-4" />
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <input
              {...wiring}
              ref={input}
              role="combobox"
              aria-expanded={suggestions.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={suggestions[active] && `${listId}-${active}`}
              autoComplete="off"
              autoCapitalize="none"
              enterKeyHint="done"
              dir="auto"
              readOnly={isFull && typed === ''}
              value={typed}
              onFocus={() => {
                setOpen(true);
                void tagsInUse().then(setKnown);
              }}
              onBlur={() => {
                setOpen(false);
                take(typed);
              }}
              onChange={({ currentTarget }) => type(currentTarget.value)}
              onKeyDown={press}
              className={controlClass}
            />
          </div>
        )}
      </Field>
      <ul
        id={listId}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: WAI-ARIA's pattern for comboboxes.
        role="listbox"
        aria-label={detailText.suggestions}
        hidden={suggestions.length === 0}
        className="absolute inset-x-0 z-10 -mt-12 max-h-72 list-none overflow-auto rounded-md border border-edge bg-paper p-1 shadow-lg"
      >
        {suggestions.map(({ slug, name, posts }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus.
          <li
            key={slug}
            id={`${listId}-${place}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: WAI-ARIA's pattern for comboboxes.
            role="option"
            aria-selected={place === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(name)}
            className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-sm px-2.5 text-base wrap-anywhere hover:bg-well aria-selected:bg-well aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent"
          >
            <bdi className="min-w-0">{name}</bdi>
            <span className="text-sm text-soft" aria-hidden="true">
              {posts}
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said || (suggestions.length > 0 ? detailText.count({ count: suggestions.length }) : '')}
      </p>
    </div>
  );
}

/** Returns tags that start with the typed text, then those that contain it, each group most used first. */
function matching(known: readonly TagInUse[], typed: string, tags: readonly string[]): readonly TagInUse[] {
  const wanted = foldedTag(typed);
  const chosen = new Set(tags.map(foldedTag));
  const left = known.filter(({ names }) => !names.some((name) => chosen.has(foldedTag(name))));
  const begin = left.filter(({ names }) => names.some((name) => foldedTag(name).startsWith(wanted)));
  const hold = left.filter((tag) => !begin.includes(tag) && tag.names.some((name) => foldedTag(name).includes(wanted)));
  return [...begin, ...hold].slice(0, SUGGESTED);
}
