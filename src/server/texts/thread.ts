/** Processes long texts in a thread, one at a time. */
import type { MessagePort } from 'node:worker_threads';
import { type TextTasks, textTasks } from '#blog/content/text-tasks.ts';
import { type Language, setLanguage } from '#blog/messages/language.ts';

export interface TextThreadData {
  readonly kind: 'texts';
  readonly language: Language;
}

export interface ToTextThread {
  readonly task: keyof TextTasks;
  readonly given: Parameters<TextTasks[keyof TextTasks]>;
}

export type FromTextThread = { readonly value: unknown } | { readonly error: unknown };

export function runTextThread({ language }: TextThreadData, site: MessagePort): void {
  setLanguage(language);
  site.on('message', (work: ToTextThread) => {
    run(work).then(
      (value) => site.postMessage({ value } satisfies FromTextThread),
      (error: unknown) => site.postMessage({ error } satisfies FromTextThread),
    );
  });
}

export const run = ({ task, given }: ToTextThread): Promise<unknown> =>
  (textTasks[task] as (...given: ToTextThread['given']) => Promise<unknown>)(...given);
