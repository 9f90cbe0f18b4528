/** A button that says what it does, and a link that looks like one. Progress shows in place, by `busy`. */
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';

export type ButtonTone = 'primary' | 'quiet' | 'danger';

const SHAPE =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-5 py-2 text-center font-sans text-base font-medium no-underline transition-colors disabled:opacity-60 aria-disabled:opacity-60';
const TONES: Record<ButtonTone, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  quiet: 'border-edge bg-transparent text-ink hover:border-ink hover:bg-well',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-strong',
};

/** The classes, for markup that is neither of the two. */
export const buttonClass = (tone: ButtonTone = 'primary', more = ''): string => `${SHAPE} ${TONES[tone]} ${more}`;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: ButtonTone;
  /** While the action is under way: a second press does nothing, focus stays. */
  readonly busy?: boolean;
}

export function Button({ tone, busy, className, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass(tone, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  );
}

export function ButtonLink({
  tone,
  className,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { tone?: ButtonTone }) {
  return <a className={buttonClass(tone, className)} {...rest} />;
}
