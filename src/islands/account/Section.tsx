import { type ReactNode, useId } from 'react';
import { accountText } from '#blog/messages/account.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import type { Form } from '../use-form.tsx';

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

interface SectionFormProps {
  readonly form: Pick<Form<Record<string, string>>, 'busy' | 'failure' | 'success' | 'onSubmit'>;
  readonly submit: string;
  readonly children: ReactNode;
}

export function SectionForm({ form: { busy, failure, success, onSubmit }, submit, children }: SectionFormProps) {
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-3">
      <Banner message={failure} className="mb-2 empty:hidden" />
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" tone="quiet" busy={busy}>
          {busy ? accountText.saving : submit}
        </Button>
        <p role="status" className="min-w-0 flex-1 text-base text-soft wrap-anywhere">
          {success}
        </p>
      </div>
    </form>
  );
}
