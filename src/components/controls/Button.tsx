/** A button that says what it does, and a link that looks like one. Progress shows in place, by `busy`. */
import type { AnchorHTMLAttributes, ComponentProps } from 'react';

export type ButtonTone = 'primary' | 'quiet' | 'danger';

/** `button` alone is primary (styles/components.css; danger, which readers never meet, in app.css). */
const TONES: Record<ButtonTone, string> = {
  primary: 'button',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
};

/** The classes, for markup that is neither of the two. */
export const buttonClass = (tone: ButtonTone = 'primary', more = ''): string => `${TONES[tone]} ${more}`.trim();

interface ButtonProps extends ComponentProps<'button'> {
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
