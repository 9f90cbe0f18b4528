/** The newsletter as its screens, its mails and its sender know it (docs/decisions/030-newsletter.md). */

/** `each` sends every post by itself; the others collect posts in a digest. */
export const RHYTHMS = ['each', 'daily', 'weekly', 'monthly'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/**
 * `resting` gets nothing after three hard failures; `left` keeps only a hash. Before the confirmation nothing is stored.
 */
export const SUBSCRIBER_STATES = ['active', 'resting', 'left'] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];

export interface Subscriber {
  readonly id: string;
  /** Empty once the person has left. */
  readonly address: string;
  readonly state: SubscriberState;
  /** ISO date of the confirmation or of leaving; for an imported subscriber, of the consent. */
  readonly since: string;
  readonly source: 'form' | 'import' | 'added';
}

export const ISSUE_STATES = ['waiting', 'sending', 'paused', 'done', 'cancelled'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];

/** One sending: of a post, or of a digest of posts. */
export interface Issue {
  readonly id: string;
  readonly slugs: readonly string[];
  /** The first post's title, or its slug if the post was deleted. */
  readonly title: string;
  readonly state: IssueState;
  readonly dueAt: string;
  readonly sent: number;
  readonly failed: number;
  /** Counts failed deliveries by their SMTP reason, which names no address. */
  readonly faults: Readonly<Record<string, number>>;
}

/** `GET /api/newsletter`, for owners. */
export interface NewsletterState {
  /** False without SMTP: the newsletter then cannot be turned on. */
  readonly sendsMail: boolean;
  readonly counts: Readonly<Record<SubscriberState, number>>;
  /** Active subscribers at the end of each of the last days, oldest first. */
  readonly growth: readonly { readonly day: string; readonly active: number }[];
  /** Newest first. */
  readonly issues: readonly Issue[];
}

/** A mail without its recipient. */
export interface ComposedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}
