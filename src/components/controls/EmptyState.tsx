import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly heading?: 'h1' | 'h2';
}

export function EmptyState({ title, text, children, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <section className="mx-auto flex max-w-wide flex-col items-center px-4 py-20 text-center sm:py-28">
      <Heading className="text-3xl">{title}</Heading>
      {text && <p className="mt-4 font-serif text-lg text-soft">{text}</p>}
      {children && <div className="mt-8 flex flex-wrap justify-center gap-3">{children}</div>}
    </section>
  );
}
