/** Messages between the processes of a siege. */

export interface AttackOrder {
  readonly kind: string;
  readonly port: number;
  /** Sessions of attackers who signed up. */
  readonly sessions: readonly string[];
  /** A post and a picture of the site. */
  readonly post: string;
  readonly file: string;
  readonly userIds: readonly string[];
}

export interface ReadOrder {
  readonly port: number;
  readonly paths: readonly string[];
  readonly readers: number;
  /** Milliseconds between two requests of a reader. */
  readonly every: number;
}

/** How often each answer came. */
export type Tally = Record<string, number>;

export interface Readings {
  /** Milliseconds from the moment at which a request was due. */
  readonly latencies: readonly number[];
  /** What went wrong, and how often. */
  readonly errors: Tally;
}

export const PROJECT = 'common-ink';
export const DOCUMENTS = '/v1/databases/blog/collections/articles/documents';
