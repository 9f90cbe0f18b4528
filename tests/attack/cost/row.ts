/** One line of the table of costs: a request that is dear in one way. */

import type { Sent } from './measure.ts';
import type { CallerName } from './measured-site.ts';

export interface Row {
  /** Method and pattern: `GET /v1/databases/:databaseId`. */
  readonly route: string;
  readonly caller: CallerName;
  /** Names the value at its limit. */
  readonly what: string;
  /** Makes the request, with whatever it needs on the site; called for each try. */
  sent(): Sent | Promise<Sent>;
}

export const nameOf = ({ route, caller, what }: Row): string => `${route}, ${caller}: ${what}`;

/** Stands for lists in lists in lists, which no program that writes JSON gets to write. */
export const DEEP = '@deep@';
const LISTS = '['.repeat(100_000) + ']'.repeat(100_000);

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value).replace(`"${DEEP}"`, LISTS));
export const JSON_TYPE = { 'content-type': 'application/json' } as const;
