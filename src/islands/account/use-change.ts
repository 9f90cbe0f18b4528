/** Sends one form of the account page, and says how that went. */
import { useState } from 'react';
import type * as z from 'zod/mini';
import { accountMessage } from '#blog/messages/account.ts';
import { type Fields, useFields, useSubmit } from '../form.ts';

interface ChangeOptions<Values extends Record<string, string>, Out> {
  readonly schema: z.ZodMiniType<Out>;
  readonly initial: Values;
  /** As for `useFields`. */
  readonly together?: readonly string[];
  readonly send: (input: Out) => Promise<void>;
  /** What is said when it is done. */
  readonly done: (input: Out) => string;
  /** What the fields hold then; absent: what was typed. */
  readonly after?: Partial<Values>;
}

export interface Change<Values extends Record<string, string>> extends Omit<Fields<Values, unknown>, 'check'> {
  readonly busy: boolean;
  readonly failure: string;
  readonly success: string;
  readonly onSubmit: ReturnType<typeof useSubmit>['onSubmit'];
}

export function useChange<Values extends Record<string, string>, Out>(
  options: ChangeOptions<Values, Out>,
): Change<Values> {
  const { schema, initial, together, send, done, after } = options;
  const fields = useFields(schema, initial, together);
  const [failure, setFailure] = useState('');
  const [success, setSuccess] = useState('');
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    setSuccess('');
    const input = await fields.check(form);
    if (!input) return;
    setBusy(true);
    try {
      await send(input);
      setSuccess(done(input));
      if (after) fields.set(after);
    } catch (error) {
      setFailure(accountMessage(error));
    } finally {
      setBusy(false);
    }
  });
  return { ...fields, busy, failure, success, onSubmit };
}
