import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { settingsText } from '#blog/messages/settings.ts';
import { NAVIGATION_MOST, SETTINGS } from '#blog/site-settings/settings.ts';
import type { NavigationLink } from '#blog/theme/theme.ts';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import type { SettingField } from './setting-field.tsx';

const DIRECTIONS = [
  { name: 'moveUp', step: -1, sign: '↑' },
  { name: 'moveDown', step: 1, sign: '↓' },
] as const;

/** The field for the header's links, which can be moved with buttons or dragged by their handles. */
export function NavigationField({ value: links = [], isFixed, help, error, onChange }: SettingField<'navigation'>) {
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);

  const set = (next: readonly NavigationLink[]) => onChange(next.length > 0 ? [...next] : undefined);
  const put = (at: number, change: Partial<NavigationLink>) =>
    set(links.map((link, i) => (i === at ? { ...link, ...change } : link)));
  const move = (from: number, to: number) => {
    const link = links[from];
    if (!link || !links[to]) return;
    set(links.toSpliced(from, 1).toSpliced(to, 0, link));
    setSaid(settingsText.moved({ text: link.text, place: to + 1, count: links.length }));
  };
  const moveByKey = (from: number, to: number, name: string) => {
    flushSync(() => move(from, to));
    // Moves the focus along with the entry, so that the user can move the entry again.
    list.current?.querySelector<HTMLElement>(`[data-move="${to} ${name}"]`)?.focus();
  };
  const isFaulty = (link: NavigationLink, key: keyof NavigationLink) =>
    SETTINGS.navigation.safeParse([link]).error?.issues.some(({ path }) => path[1] === key);

  return (
    <div>
      <p className="mb-3 text-base text-soft">{help}</p>
      <ol ref={list} className="list-none p-0">
        {links.map((link, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal while one is being typed.
            key={at}
            className={`grid gap-x-3 gap-y-2 border-t border-hairline pt-3 sm:grid-cols-[auto_1fr_1.4fr_auto] ${dragged === at ? 'opacity-60' : ''}`}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged === undefined || dragged === at) return;
              move(dragged, at);
              setDragged(at);
            }}
          >
            <span
              aria-hidden="true"
              draggable={!isFixed}
              onDragStart={() => setDragged(at)}
              onDragEnd={() => setDragged(undefined)}
              className="hidden cursor-grab self-start pt-9 text-soft select-none sm:block"
            >
              ⠿
            </span>
            <Field
              label={settingsText.linkText}
              value={link.text}
              readOnly={isFixed}
              dir="auto"
              autoComplete="off"
              error={error && isFaulty(link, 'text') ? error : ''}
              onChange={({ currentTarget }) => put(at, { text: currentTarget.value })}
            />
            <Field
              label={settingsText.linkAddress}
              value={link.address}
              readOnly={isFixed}
              inputMode="url"
              autoComplete="off"
              placeholder="/about"
              error={error && isFaulty(link, 'address') ? settingsText.notAnAddress : ''}
              onChange={({ currentTarget }) => put(at, { address: currentTarget.value })}
            />
            {!isFixed && (
              <div className="mb-4 flex items-start gap-1 sm:pt-6">
                {DIRECTIONS.map(({ name, step, sign }) => (
                  <button
                    key={name}
                    type="button"
                    data-move={`${at} ${name}`}
                    aria-label={settingsText[name]({ text: link.text })}
                    aria-disabled={!links[at + step] || undefined}
                    className="size-11 text-soft hover:text-ink aria-disabled:opacity-40"
                    onClick={() => moveByKey(at, at + step, name)}
                  >
                    {sign}
                  </button>
                ))}
                <button
                  type="button"
                  aria-label={settingsText.removeLink({ text: link.text })}
                  className="size-11 text-soft hover:text-ink"
                  onClick={() => set(links.toSpliced(at, 1))}
                >
                  ×
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      {!isFixed && links.length < NAVIGATION_MOST && (
        <Button tone="quiet" className="mt-2" onClick={() => set([...links, { text: '', address: '' }])}>
          {settingsText.addLink}
        </Button>
      )}
    </div>
  );
}
