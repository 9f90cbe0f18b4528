/** A part of the account page: its title, what it is for, and its form. */
import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  readonly help: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, help, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10 border-t border-hairline pt-8">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      <p className="mt-1 mb-5 text-base text-soft wrap-anywhere">{help}</p>
      {children}
    </section>
  );
}
