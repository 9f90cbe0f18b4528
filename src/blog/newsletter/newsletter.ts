/** Types that the newsletter's screens, emails and sender share (docs/decisions/030-newsletter.md). */

/** `each` sends every post in a separate email; the others collect posts in a digest. */
export const RHYTHMS = ['each', 'daily', 'weekly', 'monthly'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/**
 * `resting`: gets no email after three hard delivery failures in a row. `left`: has unsubscribed, and the address
 * was erased.
 */
export const SUBSCRIBER_STATES = ['active', 'resting', 'left'] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];

export interface Subscriber {
  readonly id: string;
  /** Empty after the person has unsubscribed. */
  readonly address: string;
  readonly state: SubscriberState;
  /** ISO date when the subscriber confirmed or left. For an imported subscriber, the date of the consent. */
  readonly since: string;
  readonly source: 'form' | 'import' | 'added';
}

export const ISSUE_STATES = ['waiting', 'sending', 'paused', 'done', 'cancelled'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];

/** A mailing to all subscribers, with one post or a digest of several. */
export interface Issue {
  readonly id: string;
  readonly slugs: readonly string[];
  /** The first post's title, or its slug if the post is not public. */
  readonly title: string;
  readonly state: IssueState;
  readonly dueAt: string;
  readonly sent: number;
  readonly failed: number;
  /** Counts failed deliveries by reason; a reason contains no email address. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Response of `GET /api/newsletter`, for owners. */
export interface NewsletterState {
  /** False without a mail server, in which case the newsletter cannot be turned on. */
  readonly sendsMail: boolean;
  readonly counts: Readonly<Record<SubscriberState, number>>;
  /** For each recent day, the number of today's active subscribers who had joined by then. Oldest first. */
  readonly growth: readonly { readonly day: string; readonly active: number }[];
  /** Newest first. */
  readonly issues: readonly Issue[];
}

/** The content of an email, without a recipient. */
export interface ComposedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}
