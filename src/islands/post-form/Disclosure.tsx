/**
 * A button that shows and hides what stands below it. It is no `<details>`: while one is closed, Chromium asks of each
 * node of the text at each key whether a closed one hides it, which takes longer than the key
 * (docs/decisions/007-html-in-the-editor.md).
 */

import { type ReactNode, useId } from 'react';

interface DisclosureProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Disclosure({ label, isOpen, onToggle, className, children }: DisclosureProps) {
  const id = useId();
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onToggle(!isOpen)}
        className="py-2 text-start text-sm font-medium before:me-2 before:inline-block before:content-['▸'/''] pointer-coarse:py-3 aria-expanded:before:rotate-90"
      >
        {label}
      </button>
      {/* A control that the form refuses to send is shown. */}
      <div id={id} hidden={!isOpen} onInvalidCapture={() => onToggle(true)}>
        {children}
      </div>
    </div>
  );
}
