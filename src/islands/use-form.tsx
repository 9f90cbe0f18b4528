import { type ReactNode, useState } from 'react';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
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

export interface Form<T extends Values> extends Pick<Fields<T, unknown>, 'field' | 'set'> {
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
  return { field: fields.field, set: fields.set, busy, failure, success, onSubmit };
}

interface PageFormProps {
  readonly form: Pick<Form<Values>, 'busy' | 'failure' | 'onSubmit'>;
  readonly labels: readonly [rest: string, busy: string];
  readonly children: ReactNode;
  readonly below?: ReactNode;
}

export function PageForm({ form: { busy, failure, onSubmit }, labels, children, below }: PageFormProps) {
  const [rest, sending] = labels;
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
