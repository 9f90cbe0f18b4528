import type { ComponentProps } from 'react';

/** A link outside running text, tall enough for a finger. */
export function TextLink({ className = '', ...rest }: ComponentProps<'a'>) {
  return <a className={`inline-flex min-h-11 items-center text-base text-accent underline ${className}`} {...rest} />;
}
