/** A line of the cost table: one kind of expensive request. */
import type { Sent } from './measure.ts';
import type { CallerName } from './measured-site.ts';

export interface Row {
  /** Method and pattern, e.g. `GET /v1/databases/:databaseId`. */
  readonly route: string;
  readonly caller: CallerName;
  /** Names the value at its limit. */
  readonly what: string;
  sent(): Sent | Promise<Sent>;
}

export const nameOf = ({ route, caller, what }: Row): string => `${route}, ${caller}: ${what}`;

/** Placeholder for deeply nested lists, which JSON.stringify cannot write. */
export const DEEP = '@deep@';
const LISTS = '['.repeat(100_000) + ']'.repeat(100_000);

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value).replace(`"${DEEP}"`, LISTS));
export const JSON_TYPE = { 'content-type': 'application/json' } as const;
