/** A form's fields and what is wrong with each: checked when a field is left, and all of them before it is sent. */

import { type FocusEvent, type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type * as z from 'zod/mini';
import { fieldMessages } from '#blog/forms/field-messages.ts';

type Values = Record<string, string | readonly string[]>;
/** Fields that an input holds as text. */
type TextName<T extends Values> = { [Name in keyof T & string]: T[Name] extends string ? Name : never }[keyof T &
  string];

type Schema<Out> = z.ZodMiniType<Out>;

export interface Fields<T extends Values, Out> {
  readonly values: T;
  readonly errors: Readonly<Record<string, string>>;
  /** What an input of this name needs. */
  field(name: TextName<T>): FieldProps;
  set(change: Partial<T>): void;
  /**
   * Checks everything; shows all errors and focuses the first. Gives the cleaned values, or nothing. Throws what loading
   * the schema threw.
   */
  check(form: HTMLFormElement): Promise<Out | undefined>;
}

export interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * Holds the fields of a form, at first `initial`. The schema may be loaded when it is first needed. `together` names
 * fields whose checks depend on each other: leaving one checks the others that are filled.
 */
export function useFields<T extends Values, Out>(
  schema: Schema<Out> | (() => Promise<Schema<Out>>),
  initial: T,
  together: readonly string[] = [],
): Fields<T, Out> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const current = useRef(values);

  const set = (change: Partial<T>) => {
    current.current = { ...current.current, ...change };
    setValues(current.current);
    // An error goes as soon as it is mended, whoever mends it; a new one waits until the field is left.
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
    // Sending loads it again, and shows that it could not be loaded.
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
        const partners = together.includes(name) ? together.filter((other) => current.current[other]) : [];
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

/**
 * Runs one submit at a time: a second press while one is under way does nothing, nor does one while the form is still
 * busy, because the browser is on its way to the next page.
 */
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
