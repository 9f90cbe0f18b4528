import type { Command } from '@milkdown/kit/prose/state';
import type { KeyboardEvent, ReactNode } from 'react';
import { Icon } from '#components/icons/Icon.tsx';
import type { IconName } from '#components/icons/icon-paths.ts';
import { isComposing } from '../../is-composing.ts';

export interface BubbleProps {
  readonly run: (command: Command) => void;
  readonly onLeave: () => void;
}

interface BubbleFormProps extends Pick<BubbleProps, 'onLeave'> {
  readonly label: string;
  readonly className?: string;
  readonly onEnter?: () => void;
  readonly children: ReactNode;
}

/** Renders no <form>, because forms cannot be nested. Keeps Enter and change events away from the post's form. */
export function BubbleForm({ label, className = '', onEnter, onLeave, children }: BubbleFormProps) {
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onLeave();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      onEnter?.();
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would count as one of the post's fields.
    <div
      role="group"
      aria-label={label}
      className={`editor-bubble ${className}`}
      onChange={(event) => event.stopPropagation()}
      onKeyDown={press}
    >
      {children}
    </div>
  );
}

interface BubbleButtonProps {
  readonly name: string;
  readonly icon?: IconName;
  readonly face?: string;
  readonly pressed?: boolean;
  readonly onClick?: () => void;
}

export function BubbleButton({ name, icon, face, pressed, onClick }: BubbleButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={pressed}
      data-tip={name}
      className="editor-tool"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {face ? <span aria-hidden="true">{face}</span> : icon && <Icon name={icon} />}
    </button>
  );
}
