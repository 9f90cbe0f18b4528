/**
 * A button that toggles the content below it. Not a `<details>`: while one is closed, Chromium checks every node of
 * the text on every key press, which takes longer than the key press itself
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
      {/* Opens when it contains an invalid control. */}
      <div id={id} hidden={!isOpen} onInvalidCapture={() => onToggle(true)}>
        {children}
      </div>
    </div>
  );
}
