/** The frame of a form on the account page: its fields, its button, and how sending it went. */
import type { ReactNode } from 'react';
import { accountText } from '#blog/messages/account.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import type { Change } from './use-change.ts';

interface ChangeFormProps {
  readonly change: Pick<Change<Record<string, string>>, 'busy' | 'failure' | 'success' | 'onSubmit'>;
  readonly submit: string;
  readonly children: ReactNode;
}

export function ChangeForm({ change: { busy, failure, success, onSubmit }, submit, children }: ChangeFormProps) {
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
