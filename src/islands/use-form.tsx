import { type ReactNode, useState } from 'react';
import { Banner } from '#components/controls/Banner.tsx';
import { Button, type ButtonTone } from '#components/controls/Button.tsx';
import { type Fields, type Schema, useFields, useSubmit, type Values } from './form.ts';

interface Outcome {
  readonly success?: string;
  readonly failure?: string;
  /** True to keep the button busy while the browser loads the next page. */
  readonly isLeaving?: boolean;
}

interface FormOptions<T extends Values, Out> {
  readonly schema: Schema<Out>;
  readonly initial: T;
  readonly submit: (input: Out, fields: Fields<T, Out>) => Promise<Outcome>;
  readonly message: (error: unknown) => string;
}

export interface Form<T extends Values> extends Pick<Fields<T, unknown>, 'values' | 'field' | 'set'> {
  readonly busy: boolean;
  readonly failure: string;
  readonly success: string;
  readonly onSubmit: ReturnType<typeof useSubmit>['onSubmit'];
}

export function useForm<T extends Values, Out>(options: FormOptions<T, Out>): Form<T> {
  const { schema, initial, submit, message } = options;
  const fields = useFields(schema, initial);
  const [{ failure = '', success = '' }, setOutcome] = useState<Outcome>({});
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setOutcome({});
    const input = await fields.check(form);
    if (!input) return;
    setBusy(true);
    const outcome = await submit(input, fields).catch((error: unknown): Outcome => ({ failure: message(error) }));
    setOutcome(outcome);
    setBusy(outcome.isLeaving === true);
  });
  const { values, field, set } = fields;
  return { values, field, set, busy, failure, success, onSubmit };
}

interface FormProps {
  readonly form: Pick<Form<Values>, 'busy' | 'failure' | 'success' | 'onSubmit'>;
  readonly labels: readonly [rest: string, busy?: string];
  readonly children: ReactNode;
}

export function PageForm({ form, labels, children, below }: FormProps & { readonly below?: ReactNode }) {
  const { busy, failure, onSubmit } = form;
  const [rest, sending = rest] = labels;
  return (
    <>
      <Banner message={failure} className="mb-6 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        {children}
        <Button type="submit" busy={busy} className="mt-2 w-full">
          {busy ? sending : rest}
        </Button>
        {below}
      </form>
    </>
  );
}

interface StatusFormProps extends FormProps {
  readonly tone?: ButtonTone;
  readonly isReady?: boolean;
}

/** A form that shows its outcome beside the button, for pages with several forms. */
export function StatusForm({ form, labels, children, tone = 'quiet', isReady = true }: StatusFormProps) {
  const [rest, sending = rest] = labels;
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-3">
      <Banner message={form.failure} className="mb-2 empty:hidden" />
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" tone={tone} busy={form.busy} aria-disabled={form.busy || !isReady || undefined}>
          {form.busy ? sending : rest}
        </Button>
        <p role="status" className="min-w-0 flex-1 text-base text-soft wrap-anywhere">
          {form.success}
        </p>
      </div>
    </form>
  );
}
