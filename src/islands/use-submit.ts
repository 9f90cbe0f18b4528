import { type FormEvent, useRef, useState } from 'react';

/**
 * Runs one submit at a time: a second press does nothing while `work` runs, or while the form is busy because the browser
 * is loading the next page.
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
