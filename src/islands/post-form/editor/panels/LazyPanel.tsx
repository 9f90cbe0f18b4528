/** The frame of a lazily loaded panel. It takes the focus at once, so that no keystroke goes into the text. */

import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { postFormText } from '#blog/messages.ts';
import { TryAgain } from '../../../lazy/lazy-part.tsx';

interface LazyPanelProps {
  readonly as: 'nav' | 'section';
  readonly label: string;
  readonly className: string;
  readonly onEscape: (() => void) | undefined;
  readonly retry: (() => void) | undefined;
  readonly children: ReactNode;
}

export function LazyPanel({ as: Panel, label, className, retry, onEscape, children }: LazyPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const fault = retry && (
    <div className="p-2">
      <TryAgain onAgain={retry} />
    </div>
  );
  const shown = children || fault;
  const isHere = Boolean(shown);
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the content or the error arrives.
  useLayoutEffect(() => {
    const { current } = panel;
    const inside = (which: string) => current?.querySelector<HTMLElement>(which);
    // Takes the focus unless the writer has moved it. Browsers focus the body when the focused button is removed.
    if (!wasShown.current || document.activeElement === current || document.activeElement === document.body)
      (inside('[aria-current]') ?? inside('textarea, button') ?? current)?.focus();
    wasShown.current = true;
  }, [isHere]);
  return (
    <Panel
      ref={panel}
      aria-label={label}
      aria-busy={!isHere}
      tabIndex={-1}
      className={className}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !onEscape) return;
        event.stopPropagation();
        onEscape();
      }}
    >
      {shown || (
        <p role="status" className="p-2 text-soft">
          {postFormText.loading}
        </p>
      )}
    </Panel>
  );
}
