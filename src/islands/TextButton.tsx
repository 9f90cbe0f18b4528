import type { ReactNode, Ref } from 'react';

interface TextButtonProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that looks like a link, for the line of a field's label. */
export function TextButton({ onClick, children, ref }: TextButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      onClick={onClick}
      className="relative text-sm font-medium text-accent after:absolute after:-inset-3"
    >
      {children}
    </button>
  );
}
