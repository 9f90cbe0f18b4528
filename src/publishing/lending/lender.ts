/** What the store and its reader threads say to each other, and the store's side of it. */
import type { PageStore } from '../page-store.ts';
import type { Encoding } from '../store/encoding.ts';
import type { Loan } from '../store/loan.ts';

/** From a thread. */
export type Question =
  | { readonly kind: 'ask'; readonly path: string; readonly encoding: Encoding }
  /** How often copies were shown. */
  | { readonly kind: 'shown'; readonly counts: readonly (readonly [path: string, times: number])[] };

/** To a thread. */
export interface Answer {
  readonly kind: 'loan';
  readonly path: string;
  readonly encoding: Encoding;
  readonly loan: Loan | undefined;
}

/** Answers a thread's message; undefined where none is due. */
export function answerTo(store: Pick<PageStore, 'lend' | 'wasShown'>, question: Question): Answer | undefined {
  if (question.kind === 'shown') {
    for (const [path, times] of question.counts) store.wasShown(path, times);
    return undefined;
  }
  const { path, encoding } = question;
  return { kind: 'loan', path, encoding, loan: store.lend(path, encoding) };
}
