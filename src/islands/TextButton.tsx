import type { ReactNode } from 'react';

/** A button that looks like a link, for the line of a field's label. */
export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="relative text-sm font-medium text-accent after:absolute after:-inset-3"
    >
      {children}
    </button>
  );
}
