/** Tells other tabs of this browser which drafts are being written and which have changed. */

import type { DraftLocation } from './draft-store.ts';

const CHANNEL = 'common-ink:drafts';

/** Milliseconds to wait for the page before a reload. */
const CLAIM_MS = 300;

/**
 * Marks `copy` as being written by this tab until the returned function is called or the tab is closed. That function
 * resolves when the mark is gone for all tabs.
 */
export function lockDraft(copy: string): () => Promise<void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Plain http outside localhost has no locks: a draft of an open tab is offered like one left behind.
  const locked = navigator.locks?.request(lockOf(copy), () => held).catch(() => {});
  return async () => {
    release();
    await locked;
  };
}

/**
 * Takes over a draft that this tab wrote before a reload: marks it like `lockDraft` and gives what removes the mark.
 * Undefined while another tab writes it, as the first one of a duplicated tab does, or where that cannot be told.
 */
export function claimDraft(copy: string): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const claim = () =>
      new Promise<void>((release) =>
        resolve(async () => {
          release();
          await request;
        }),
      );
    // The page before the reload may not have let go yet.
    const request = navigator.locks?.request(lockOf(copy), { signal: AbortSignal.timeout(CLAIM_MS) }, claim);
    if (request) request.catch(() => resolve(undefined));
    else resolve(undefined);
  });
}

/** The drafts that open tabs are writing. */
export async function openDrafts(): Promise<{ has(copy: string): boolean }> {
  const { held = [], pending = [] } = (await navigator.locks?.query()) ?? {};
  const names = new Set([...held, ...pending].map(({ name }) => name));
  return { has: (copy) => names.has(lockOf(copy)) };
}

export interface Tabs {
  /** Tells that the draft of this tab was written or dropped. */
  readonly notify: () => void;
  readonly leave: () => void;
}

/** Calls `onChange` when another tab writes or drops a draft of the same post. */
export function joinTabs({ userId, post }: DraftLocation, onChange: () => void): Tabs {
  const place = JSON.stringify([userId, post]);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => data === place && onChange();
  return { notify: () => channel.postMessage(place), leave: () => channel.close() };
}

/** Tells all open forms of the post, that of this page among them, that its drafts have changed. */
export function notifyTabs(location: DraftLocation): void {
  const tabs = joinTabs(location, () => {});
  tabs.notify();
  tabs.leave();
}

const lockOf = (copy: string) => `${CHANNEL}:${copy}`;
