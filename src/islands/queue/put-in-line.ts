/** Queues a form's draft. Loaded in advance, because the network is down when this code is needed. */

import type { Post } from '#blog/post.ts';
import type { Attempt } from '#stores/posts/post-actions.ts';
import { draftsAt, picturesOf, writeDraft } from '../post-form/draft/draft-store.ts';
import { notifyTabs } from '../post-form/draft/draft-tabs.ts';
import type { DraftKeeper } from '../post-form/draft/use-draft.ts';
import { QUEUED, storedAttempt } from './in-line.ts';

export { isCutOff } from '#stores/posts/queued-posts.ts';
export { InLine } from './InLine.tsx';

// Preloads code that an offline form may need: the publish dialog, the queue notice and the draft finder.
for (const load of [
  () => import('../post-form/sending/PublishDialog.tsx'),
  () => import('./QueueNotice.tsx'),
  () => import('../post-form/draft/find-drafts.ts'),
])
  load().catch(() => {});

/** Matches the URLs, such as `blob:` URLs, of pictures that are stored only on this device. */
const LOCAL = /(?<=<img src=")(?!https?:)[a-z][a-z\d+.-]*:[^"]*/gi;

interface Sent {
  readonly attempt: Attempt;
  readonly base: Post | undefined;
  readonly file: File | undefined;
}

/** Queues the form's draft. Returns false if this device cannot store the text and all its pictures. */
export async function putInLine(keeper: DraftKeeper, { attempt, base, file }: Sent): Promise<boolean> {
  const { location, isOwn, touched, save } = keeper;
  touched();
  if ((await save()) !== 'kept') return false;
  const own = (await draftsAt(location)).find(({ copy }) => isOwn(copy));
  const pictures = own && (await picturesOf(own));
  if (!own || [...own.content.matchAll(LOCAL)].some(([address]) => !pictures?.has(address))) return false;
  const queued = { at: Date.now(), state: 'waiting', attempt: storedAttempt(attempt, file), base } as const;
  if ((await writeDraft({ ...own, queued })) !== 'kept') return false;
  notifyTabs(own);
  dispatchEvent(new Event(QUEUED));
  return true;
}
