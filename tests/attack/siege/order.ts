import type { Tally } from '../attack.ts';

export interface AttackOrder {
  readonly kind: string;
  readonly port: number;
  /** Session secrets of the attackers' accounts. */
  readonly sessions: readonly string[];
  readonly post: string;
  readonly file: string;
  readonly userIds: readonly string[];
}

export interface ReadOrder {
  readonly port: number;
  readonly paths: readonly string[];
  readonly readers: number;
  readonly everyMs: number;
}

export interface Readings {
  /** Milliseconds from the time each request was due until its response was complete. */
  readonly latencies: readonly number[];
  readonly errors: Tally;
}

export const PROJECT = 'common-ink';
export const DOCUMENTS = '/v1/databases/blog/collections/articles/documents';
