/** The worker thread for long texts (`worker.ts`). */
import type { MessagePort } from 'node:worker_threads';
import { type TextTasks, textTasks } from '#blog/content/text-tasks.ts';
import { type Language, language, setLanguage } from '#blog/messages/language.ts';

export interface TextThreadData {
  readonly kind: 'texts';
}

export interface ToTextThread {
  readonly task: keyof TextTasks;
  readonly given: Parameters<TextTasks[keyof TextTasks]>;
  /** The site's language when the task was requested. */
  readonly language: Language;
}

export type FromTextThread = { readonly value: unknown } | { readonly error: unknown };

export function runTextThread(site: MessagePort): void {
  site.on('message', (work: ToTextThread) => {
    if (work.language !== language()) setLanguage(work.language);
    run(work).then(
      (value) => site.postMessage({ value } satisfies FromTextThread),
      (error: unknown) => site.postMessage({ error } satisfies FromTextThread),
    );
  });
}

export const run = ({ task, given }: Pick<ToTextThread, 'task' | 'given'>): Promise<unknown> =>
  (textTasks[task] as (...given: ToTextThread['given']) => Promise<unknown>)(...given);
