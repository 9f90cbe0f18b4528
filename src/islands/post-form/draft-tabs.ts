/** What the tabs of one browser tell each other of their copies: which are being written, and that one has changed. */

import type { Place } from './draft.ts';

const CHANNEL = 'common-ink:drafts';

/**
 * Tells other tabs that this one writes `copy`, until the given function is called or the tab is closed, however it ends.
 * The function resolves when nobody takes the copy for one that is being written any more.
 */
export function occupy(copy: string): () => Promise<void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Not there on plain http outside localhost: then a copy that an open tab is writing is offered like one left behind.
  const locked = navigator.locks?.request(lockOf(copy), () => held).catch(() => {});
  return async () => {
    release();
    await locked;
  };
}

/** The copies that open tabs are writing. */
export async function openCopies(): Promise<{ has(copy: string): boolean }> {
  const { held = [], pending = [] } = (await navigator.locks?.query()) ?? {};
  const names = new Set([...held, ...pending].map(({ name }) => name));
  return { has: (copy) => names.has(lockOf(copy)) };
}

export interface Tabs {
  /** The copy that this tab keeps was written or dropped. */
  readonly tell: () => void;
  readonly leave: () => void;
}

/** Calls `heard` when another tab writes or drops a copy of the same place. */
export function meetTabs({ userId, post }: Place, heard: () => void): Tabs {
  const place = JSON.stringify([userId, post]);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => data === place && heard();
  return { tell: () => channel.postMessage(place), leave: () => channel.close() };
}

const lockOf = (copy: string) => `${CHANNEL}:${copy}`;
