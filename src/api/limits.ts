/** The API's limits. If a process runs several sites, each has its own counters. */
import { BodyMemory } from '@common-ink/http/limits/body-memory.ts';
import { Semaphore } from '@common-ink/http/limits/semaphore.ts';
import { Attempts } from './attempts.ts';
import { ApiError } from './json.ts';

const MEBIBYTE = 1024 * 1024;

const MINUTE = 60;
const TEN_MINUTES = 600;
const HOUR = 3600;
const DAY = 86_400;

export type ApiLimits = ReturnType<typeof createApiLimits>;

export const createApiLimits = () => ({
  revalidations: new Attempts(120, MINUTE),
  /** Per user. Rendering a long post is expensive. */
  previews: new Attempts(60, MINUTE),
  /** Per user. Enough for all pictures of a long page, with retries. */
  pictureCopies: new Attempts(120, MINUTE),
  /** Each picture may take 10 MB of memory while it downloads. */
  pictureFetches: new Semaphore(
    { atOnce: 8, ofKey: 3, waiting: 0 },
    () => new ApiError(503, 'Too many pictures are being copied. Try again shortly.', { 'retry-after': '2' }),
  ),
  people: new Attempts(120, MINUTE),
  /** Shared by all callers, because a settings-preview form is read before its session is checked. */
  previewBodies: new BodyMemory({ most: 16 * MEBIBYTE }),
  /** Per owner. A large file is uploaded in many parts. */
  imports: new Attempts(3000, MINUTE),
  recoveries: new Attempts(20, TEN_MINUTES),
  /** Recovery emails per email address. */
  recoveriesOf: new Attempts(3, HOUR),
  recoveryMails: new Semaphore({ atOnce: 2, waiting: 200 }),
  /** Per network address. Counts challenges (one for each page with a sign-in form), and the responses to them. */
  passkeys: new Attempts(60, TEN_MINUTES),
  /** Per network address, just as the backend limits sign-ups with a password. */
  passkeySignUps: new Attempts(10, HOUR),
  /** Per network address. Counts sign-ups and address changes that reveal that an address has an account. */
  addressProbes: new Attempts(20, DAY),
  oneTimeLinks: new Attempts(60, TEN_MINUTES),
  /** Newsletter sign-ups per network address. The newsletter itself limits emails per email address. */
  subscriptions: new Attempts(20, TEN_MINUTES),
  subscriptionLinks: new Attempts(600, TEN_MINUTES),
  /** Per network address. A page with many posts requests the authors' names in batches. */
  authorNames: new Attempts(120, MINUTE),
  /** Per network address. Counts drafts and their pictures, which are fetched from the backend each time. */
  draftViews: new Attempts(300, MINUTE),
  /** Per network address. Some pages ask for the site's state on each view. */
  siteStates: new Attempts(120, MINUTE),
  /** Per network address. Counts calls without a valid session, because each of them is a request to the backend. */
  strangers: new Attempts(30, MINUTE),
  /** Limits concurrent session checks for addresses over the `strangers` limit, whose signed-in users still get in. */
  strangersSessions: new Semaphore({ atOnce: 4 }),
  /** Per network address. A correct token always passes, because callers behind an untrusted proxy share an address. */
  wrongTokens: new Attempts(10, TEN_MINUTES),
  /** Per network address. A valid signature always passes. */
  wrongPeerSignatures: new Attempts(20, TEN_MINUTES),
  peerBodies: new BodyMemory({ most: 32 * MEBIBYTE }),
  /** Per network address. A valid signature always passes, as callers behind an untrusted proxy share an address. */
  wrongWebhookSignatures: new Attempts(20, TEN_MINUTES),
  webhookBodies: new BodyMemory({ most: 64 * MEBIBYTE }),
});
