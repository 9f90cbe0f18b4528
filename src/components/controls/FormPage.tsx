import type { ReactNode } from 'react';

interface FormPageProps {
  readonly title: string;
  readonly other?: { readonly question: string; readonly href: string; readonly link: string } | undefined;
  readonly children: ReactNode;
}

export function FormPage({ title, other, children }: FormPageProps) {
  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="mb-8 text-3xl">{title}</h1>
      {children}
      {other && (
        <p className="mt-8 text-base text-soft">
          {other.question}{' '}
          <a
            href={other.href}
            className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4"
          >
            {other.link}
          </a>
        </p>
      )}
    </div>
  );
}
