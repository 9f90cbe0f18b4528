/** Sends the queued drafts, in order and one at a time, even if several tabs are open (decision 034). */

import { faultOf, isUnreachable } from '#blog/errors.ts';
import { queueText } from '#blog/messages/queue.ts';
import { postMessage } from '#blog/messages.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { $auth } from '#stores/account/auth.ts';
import { EditConflict } from '#stores/posts/post-actions.ts';
import { hasSession } from '#stores/posts/queued-posts.ts';
import { deleteDraft, type Queued, writeDraft } from '../post-form/draft/draft-store.ts';
import { notifyTabs } from '../post-form/draft/draft-tabs.ts';
import { copyToNewPost } from '../post-form/draft/move-to-new-post.ts';
import {
  $queue,
  findInLine,
  inLine,
  locked,
  QUEUED,
  type QueuedDraft,
  type QueueNews,
  tell,
  whileClosed,
} from './in-line.ts';
import { sendDraft } from './send-draft.ts';

const LOCK = 'common-ink:queue';
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Status codes that the backend returns to a guest for requests that need a session. */
const REFUSALS: readonly number[] = [401, 403, 404];

function report(news: QueueNews): void {
  const others = $queue.get().news.filter(({ copy }) => copy !== news.copy);
  tell({ news: [...others, news] });
}

/**
 * Sends the queued drafts now, and again when a draft is queued, the device is back online, or the page's visibility or
 * the user changes. Retries with increasing delays while a draft cannot be sent. Returns a function that stops sending.
 */
export function followQueue(userId: string): () => void {
  const listening = new AbortController();
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  const turn = async () => {
    again = true;
    clearTimeout(timer);
    if (running) return;
    running = true;
    let isWaiting = false;
    while (again && !listening.signal.aborted) {
      again = false;
      isWaiting = await locked(LOCK, {}, () => sendAll(userId)).catch((error: unknown) => {
        console.error('The queued drafts could not be sent:', error);
        return true;
      });
    }
    running = false;
    if (!isWaiting || listening.signal.aborted) return;
    timer = setTimeout(turn, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  };
  const now = () => {
    pause = FIRST_PAUSE_MS;
    void turn();
  };
  for (const type of ['online', 'visibilitychange', QUEUED]) addEventListener(type, now, listening);
  const stop = $auth.listen(({ user }, before) => user?.id !== before?.user?.id && now());
  void turn();
  return () => {
    listening.abort();
    clearTimeout(timer);
    stop();
  };
}

/** Returns true if drafts are left because the backend is unreachable or limits requests, or a form has them open. */
async function sendAll(userId: string): Promise<boolean> {
  const passed = new Set<string>();
  const waiting = async () => (await inLine(userId)).filter(({ queued }) => queued.state === 'waiting');
  let outcome: Outcome = 'done';
  let isLeft = false;
  while (outcome === 'done') {
    const next = (await waiting()).find(({ copy }) => !passed.has(copy));
    if (!next) return isLeft;
    passed.add(next.copy);
    const wasClosed = await whileClosed(next.copy, async () => {
      // The draft may have been changed or removed from the queue before it was locked.
      const current = (await waiting()).find(({ copy }) => copy === next.copy);
      if (current) outcome = await send(current);
    });
    isLeft ||= !wasClosed;
    notifyTabs(next);
  }
  return outcome === 'unreachable';
}

type Outcome = 'done' | 'unreachable' | 'signed-out';

async function send(draft: QueuedDraft): Promise<Outcome> {
  const { userId, copy } = draft;
  const title = draft.title.trim();
  tell({ sending: copy });
  try {
    const isSignedOut = !(await hasSession(userId));
    tell({ isSignedOut });
    if (isSignedOut) return 'signed-out';
    const post = await sendDraft(draft);
    await deleteDraft(draft);
    report({ copy, title, what: post.status === 'active' ? 'published' : 'saved', address: addressOfPost(post) });
    return 'done';
  } catch (error) {
    const { code, type } = faultOf(error);
    if (isUnreachable(error) || code === 429) return 'unreachable';
    if (REFUSALS.includes(code) && (await hasSession(userId).catch(() => true)) === false) {
      tell({ isSignedOut: true });
      return 'signed-out';
    }
    if (error instanceof EditConflict) await stop(draft, { state: 'conflict' });
    else if (type === 'document_not_found') await stop(draft, { state: 'refused', reason: queueText.gone });
    else await stop(draft, { state: 'refused', reason: postMessage(error) });
    report({ copy, title, what: 'stopped' });
    return 'done';
  } finally {
    tell({ sending: undefined });
  }
}

/**
 * Marks the draft so that it is not sent again until its author decides what to do. A draft of a deleted post becomes a
 * draft of a new post.
 */
async function stop({ userId, copy }: QueuedDraft, change: Pick<Queued, 'state' | 'reason'>): Promise<void> {
  // Reads the draft again, because `sendDraft` has stored its progress there.
  const draft = await findInLine(userId, copy);
  if (!draft) return;
  const queued = { ...draft.queued, ...change };
  if (change.reason === queueText.gone && (await copyToNewPost(draft, { at: queued.at, ...change }))) {
    await deleteDraft(draft);
  } else await writeDraft({ ...draft, queued });
}
