import { type ReactNode, useId } from 'react';

export function Section({ title, help, children }: { title: string; help: ReactNode; children: ReactNode }) {
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
