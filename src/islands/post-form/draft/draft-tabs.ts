/** Tells the tabs of this browser which drafts are open, and when the drafts of a post change. */

import { type DraftLocation, within } from './draft-store.ts';

const CHANNEL = 'common-ink:drafts';

/** Timeout in milliseconds for the Web Locks API. A browser that does not respond is treated as lacking the API. */
const ANSWER_MS = 1000;

/** Locks `copy` for this tab. Returns a function that releases the lock and resolves once other tabs can take it. */
export function lockDraft(copy: string): () => Promise<void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // On plain http outside localhost, browsers have no locks, so drafts open in other tabs are offered as if abandoned.
  const locked = navigator.locks?.request(lockOf(copy), () => held).catch(() => {});
  return async () => {
    release();
    await given(locked);
  };
}

const given = (locked: Promise<unknown> | undefined) => within(ANSWER_MS, Promise.resolve(locked)).catch(() => {});

/**
 * Locks a draft that this tab wrote before a reload and returns a function that releases it. Waits up to `limitMs`
 * milliseconds, because the replaced page may still hold the lock. Returns undefined if another tab (such as the
 * original of a duplicated tab) holds the lock even after that, or if the browser does not respond.
 */
export function claimDraft(copy: string, limitMs: number): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const claim = () =>
      new Promise<void>((release) =>
        resolve(async () => {
          release();
          await given(request);
        }),
      );
    const signal = AbortSignal.timeout(limitMs);
    signal.onabort = () => resolve(undefined);
    const request = navigator.locks?.request(lockOf(copy), { signal }, claim);
    if (request) request.catch(() => resolve(undefined));
    else resolve(undefined);
  });
}

/** Returns the drafts that are open in tabs; none if the browser does not respond in time. Never throws. */
export async function openDrafts(): Promise<{ has(copy: string): boolean }> {
  const asked = within(ANSWER_MS, Promise.resolve(navigator.locks?.query()));
  const { held = [], pending = [] } = (await asked.catch(() => undefined)) ?? {};
  const names = new Set([...held, ...pending].map(({ name }) => name));
  return { has: (copy) => names.has(lockOf(copy)) };
}

export function joinTabs({ userId, post }: DraftLocation, onChange: () => void) {
  const place = JSON.stringify([userId, post]);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => data === place && onChange();
  return { notify: () => channel.postMessage(place), leave: () => channel.close() };
}

/** Calls `onChange` when a draft of any post changes. Returns a function that stops listening. */
export function followDrafts(onChange: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = onChange;
  return () => channel.close();
}

/** Tells all open forms of the post, including this page's, that its drafts have changed. */
export function notifyTabs(location: DraftLocation): void {
  const tabs = joinTabs(location, () => {});
  tabs.notify();
  tabs.leave();
}

/** Returns the name of the draft that this page noted in its history entry, which survives a reload. */
export const notedDraft = (): unknown => history.state?.draft;

export function noteDraft(copy: string): void {
  // Browsers limit how often `replaceState` may be called.
  if (notedDraft() !== copy) history.replaceState({ ...history.state, draft: copy }, '');
}

export const lockOf = (copy: string) => `${CHANNEL}:${copy}`;
