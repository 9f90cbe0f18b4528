import type { AnchorHTMLAttributes, ComponentProps } from 'react';

export type ButtonTone = 'primary' | 'quiet' | 'danger';

/** Styles of danger are in app.css, because readers never see them; the others in styles/components.css. */
const TONES: Record<ButtonTone, string> = {
  primary: 'button',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
};

/** Classes for elements that are neither of the two components. */
export const buttonClass = (tone: ButtonTone = 'primary', more = ''): string => `${TONES[tone]} ${more}`.trim();

interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: ButtonTone;
  /** The action is running: another press does nothing, the focus stays. */
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
