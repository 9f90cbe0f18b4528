/** Form state: validates each field on blur and all fields on submit. */

import { type FocusEvent, type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type * as z from 'zod/mini';
import { fieldMessages } from '#blog/forms/field-messages.ts';

export type Values = Record<string, string | readonly string[]>;

type TextName<T extends Values> = { [Name in keyof T & string]: T[Name] extends string ? Name : never }[keyof T &
  string];

export type Schema<Out> = z.ZodMiniType<Out>;

export interface Fields<T extends Values, Out> {
  readonly values: T;
  readonly errors: Readonly<Record<string, string>>;
  field(name: TextName<T>): FieldProps;
  set(change: Partial<T>): void;
  /** Returns the parsed values, or focuses the first invalid field. @throws if the schema fails to load */
  check(form: HTMLFormElement): Promise<Out | undefined>;
}

export interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
}

/** Leaving one of these fields also validates the other if it is filled in, because the two must match. */
const PASSWORDS: readonly string[] = ['password', 'confirmPassword'];

/** Manages the fields of a form, starting with `initial`. `schema` may be a function that loads it on first use. */
export function useFields<T extends Values, Out>(
  schema: Schema<Out> | (() => Promise<Schema<Out>>),
  initial: T,
): Fields<T, Out> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const current = useRef(values);

  const set = (change: Partial<T>) => {
    current.current = { ...current.current, ...change };
    setValues(current.current);
    // Rechecks fields that show an error, so that the error disappears once fixed. Other fields are checked on blur.
    const wrong = Object.keys(change).filter((name) => errors[name]);
    if (wrong.length > 0) checkOnly(wrong);
  };

  const checkOnly = (names: readonly string[]) => {
    const show = (now: Schema<Out>) => {
      const found = fieldMessages(now, current.current);
      setErrors((before) => {
        const after = { ...before };
        for (const name of names) {
          if (found[name]) after[name] = found[name];
          else delete after[name];
        }
        return after;
      });
    };
    if (typeof schema !== 'function') show(schema);
    // Ignores a failed load, because submitting loads the schema again and shows the error.
    else schema().then(show, () => {});
  };

  return {
    values,
    errors,
    set,
    field: (name) => ({
      name,
      value: values[name] as string,
      error: errors[name],
      onChange: (event) => set({ [name]: event.currentTarget.value } as Partial<T>),
      onBlur: () => {
        const partners = PASSWORDS.includes(name) ? PASSWORDS.filter((other) => current.current[other]) : [];
        checkOnly([name, ...partners]);
      },
    }),
    check: async (form) => {
      const whole = typeof schema === 'function' ? await schema() : schema;
      const found = fieldMessages(whole, current.current);
      flushSync(() => setErrors(found));
      const result = whole.safeParse(current.current);
      if (result.success) return result.data;
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return undefined;
    },
  };
}

/** Handles one submit at a time. Ignores other submits while `work` runs or the caller keeps `busy` true. */
export function useSubmit(work: (form: HTMLFormElement) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (running.current || busy) return;
    running.current = true;
    const form = event.currentTarget;
    try {
      await work(form);
    } finally {
      running.current = false;
    }
  };
  return { busy, setBusy, onSubmit };
}
