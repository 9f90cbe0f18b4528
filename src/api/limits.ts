/** What the endpoints of one site count and bound. Two sites in one process have two of them. */
import { BodyMemory } from '@common-ink/http/limits/body-memory.ts';
import { Semaphore } from '@common-ink/http/limits/semaphore.ts';
import { Attempts } from './attempts.ts';
import { ApiError } from './json.ts';

const MEBIBYTE = 1024 * 1024;

/** Seconds. */
const MINUTE = 60;
const TEN_MINUTES = 600;
const HOUR = 3600;

export type ApiLimits = ReturnType<typeof createApiLimits>;

/** Counters at zero, for the endpoints of one site. */
export const createApiLimits = () => ({
  /** Per user: more than anybody saves, less than a flood. */
  revalidations: new Attempts(120, MINUTE),
  /** Per user: rendering a long text is work. */
  previews: new Attempts(60, MINUTE),
  /** Per user: the pictures of a long page, and some that are tried again. */
  pictureCopies: new Attempts(120, MINUTE),
  /** Pictures that are being fetched: each may take 10 MB of memory for as long as its site takes. */
  pictureFetches: new Semaphore(
    { atOnce: 8, ofKey: 3, waiting: 0 },
    () => new ApiError(503, 'Too many pictures are being copied. Try again shortly.', { 'retry-after': '2' }),
  ),
  /** Per user: more than anybody manages people by hand. */
  people: new Attempts(120, MINUTE),
  /** Per owner: the parts of a large file, and how far it is. */
  imports: new Attempts(3000, MINUTE),
  /** Per address: lost passwords. */
  recoveries: new Attempts(20, TEN_MINUTES),
  /** Per account that is asked about: mails in an hour. */
  recoveriesOf: new Attempts(3, HOUR),
  /** Mails that are being handed to the backend, and those that wait. */
  recoveryMails: new Semaphore({ atOnce: 2, waiting: 200 }),
  /** Per address: one-time links that are opened. */
  oneTimeLinks: new Attempts(60, TEN_MINUTES),
  /** Per address: a list asks once for each part of it. */
  authorNames: new Attempts(120, MINUTE),
  /** Per address: drafts that are shown by a link, and their pictures. Each is made anew. */
  draftViews: new Attempts(300, MINUTE),
  /** Per address: asked once by each view of a page that depends on it. */
  siteStates: new Attempts(120, MINUTE),
  /** Calls without a valid session, per address: each asks the backend. */
  strangers: new Attempts(30, MINUTE),
  /**
   * From an address that has spent them, so many sessions are asked for at a time: a flood does not reach the backend, and
   * whoever is signed in and has the same address (a proxy's that is not trusted) waits a little and is let in.
   */
  strangersSessions: new Semaphore({ atOnce: 4 }),
  /**
   * Wrong tokens from one address. The right one is always heard: behind a proxy that is not trusted, a stranger has the
   * operator's address. What keeps a token from being guessed is its length (configuration.ts).
   */
  wrongTokens: new Attempts(10, TEN_MINUTES),
  /** Of one address. A right one is always heard, whoever else has its address. */
  wrongPeerSignatures: new Attempts(20, TEN_MINUTES),
  /** Other instances' bodies whose signature is not known yet. */
  peerBodies: new BodyMemory({ most: 32 * MEBIBYTE }),
  /**
   * Of one address. A right one is always heard: behind a proxy that is not trusted, all the world has one address, and
   * what cannot be guessed (configuration.ts) needs no lock-out.
   */
  wrongWebhookSignatures: new Attempts(20, TEN_MINUTES),
  /** Webhooks' bodies whose signature is not known yet. */
  webhookBodies: new BodyMemory({ most: 64 * MEBIBYTE }),
});
