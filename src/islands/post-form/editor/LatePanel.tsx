/** The place of a panel that is loaded when it is first asked for: it has the focus at once, so that no key falls into the text. */

import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { postFormText } from '#blog/messages.ts';
import { TryAgain } from '../TryAgain.tsx';

interface LatePanelProps {
  readonly as: 'nav' | 'section';
  readonly label: string;
  readonly className: string;
  /** Without it Escape means nothing here. */
  readonly onEscape: (() => void) | undefined;
  /** It could not be loaded: tries again. */
  readonly again: (() => void) | undefined;
  /** Nothing yet: it is on its way. */
  readonly children: ReactNode;
}

export function LatePanel({ as: Panel, label, className, again, onEscape, children }: LatePanelProps) {
  const panel = useRef<HTMLElement>(null);
  const shown = children || (again && <TryAgain onAgain={again} />);
  const isHere = Boolean(shown);
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its arrival is the reason.
  useLayoutEffect(() => {
    const { current } = panel;
    const inside = (which: string) => current?.querySelector<HTMLElement>(which);
    // Whoever has gone elsewhere meanwhile is left there; who pressed on what is gone now is nowhere.
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
      {shown || <p role="status">{postFormText.loading}</p>}
    </Panel>
  );
}
