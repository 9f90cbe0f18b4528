import type { ComponentProps } from 'react';

/** A standalone link rather than one within a sentence, tall enough to tap. */
export function TextLink({ className = '', ...rest }: ComponentProps<'a'>) {
  return <a className={`inline-flex min-h-11 items-center text-base text-accent underline ${className}`} {...rest} />;
}
