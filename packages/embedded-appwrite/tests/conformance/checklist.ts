/** Lists the wire contract's checklist. The reporter counts an id without a result as failed. */

export const CHECKLIST = {
  T: ids('T', 28, [9, 16, 18, 21, 23]),
  A: ids('A', 52, [3, 7, 9, 11, 24, 29, 33, 40, 41]),
  U: ids('U', 9, [4]),
  I: ids('I', 34),
  D: ids('D', 9, [5]),
  C: ids('C', 40, [10, 12, 27, 35]),
  Q: ids('Q', 22, [15]),
  S: ids('S', 28, [5, 10, 13]),
  R: ids('R', 26, [6, 19]),
  W: ids('W', 7),
  M: ids('M', 15),
  G: ids('G', 28),
} as const;

export type Section = keyof typeof CHECKLIST;

export const SECTION_NAMES: Record<Section, string> = {
  ...{ T: 'transport', A: 'account', U: 'users', I: 'identity', D: 'database schema', C: 'documents', Q: 'queries' },
  ...{ S: 'storage', R: 'realtime', W: 'webhooks', G: 'teams', M: 'second factors' },
};

export const DEFAULT_SECTIONS = 'TAUIDCQSRWGM';

/** Returns the ids from 01 to `last`, except for those that the contract has dropped. */
function ids(section: string, last: number, dropped: readonly number[] = []): readonly string[] {
  const numbers = Array.from({ length: last }, (_, index) => index + 1).filter((number) => !dropped.includes(number));
  return numbers.map((number) => section + String(number).padStart(2, '0'));
}
