/** Lists the wire contract's checklist. Each id has exactly one test; the reporter fails a missing one. */

export const CHECKLIST = {
  T: ids('T', '01 02 03 04 05 06 07 08 10 11 12 13 14 15 17 19 20 22 24 25 26 27 28'),
  A: ids(
    'A',
    '01 02 04 05 06 08 10 12 13 14 15 16 17 18 19 20 21 22 23 25 26 27 28 30 31 32 34 35 36 37 38 39 42 43 44 45 46 47 48 49 50 51 52',
  ),
  U: ids('U', '01 02 03 05 06 07 08 09'),
  I: ids('I', '01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34'),
  D: ids('D', '01 02 03 04 06 07 08 09'),
  C: ids(
    'C',
    '01 02 03 04 05 06 07 08 09 11 13 14 15 16 17 18 19 20 21 22 23 24 25 26 28 29 30 31 32 33 34 36 37 38 39 40',
  ),
  Q: ids('Q', '01 02 03 04 05 06 07 08 09 10 11 12 13 14 16 17 18 19 20 21 22'),
  S: ids('S', '01 02 03 04 06 07 08 09 11 12 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28'),
  R: ids('R', '01 02 03 04 05 07 08 09 10 11 12 13 14 15 16 17 18 20 21 22 23 24 25 26'),
  W: ids('W', '01 02 03 04 05 06 07'),
  M: ids('M', '01 02 03 04 05 06 07 08 09 10 11 12 13 14 15'),
  G: ids('G', '01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28'),
} as const;

export type Section = keyof typeof CHECKLIST;

export const SECTION_NAMES: Record<Section, string> = {
  ...{ T: 'transport', A: 'account', U: 'users', I: 'identity', D: 'database schema', C: 'documents', Q: 'queries' },
  ...{ S: 'storage', R: 'realtime', W: 'webhooks', G: 'teams', M: 'second factors' },
};

/** Sections that a run checks by default. */
export const DEFAULT_SECTIONS = 'TAUIDCQSRWGM';

function ids(section: string, numbers: string): readonly string[] {
  return numbers.split(' ').map((number) => section + number);
}
