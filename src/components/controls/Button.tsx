import type { AnchorHTMLAttributes, ComponentProps } from 'react';

export type ButtonTone = 'primary' | 'quiet' | 'danger';

/** The danger styles are in `app.css`, because public pages have no such button; the others are in `components.css`. */
const TONES: Record<ButtonTone, string> = {
  primary: 'button',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
};

export const buttonClass = (tone: ButtonTone = 'primary', more = ''): string => `${TONES[tone]} ${more}`.trim();

interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: ButtonTone;
  /** True while the action runs. The button then ignores presses but keeps the focus, unlike a disabled one. */
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
