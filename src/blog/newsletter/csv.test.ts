import { expect, it } from 'vitest';
import { subscribersCsv, subscribersIn } from './csv.ts';
import type { Subscriber } from './newsletter.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
const read = (...lines: string[]) => subscribersIn(lines.join('\n'), NOW);
const only = (subscribers: object[], left = 0, invalid = 0) => ({ subscribers, left, invalid });
const ANN = { address: 'ann@example.com' };
const BO = { address: 'bo@example.com' };
const SINCE = '2023-04-05T06:07:08.000Z';

it.each([
  [
    'members of Ghost, without those who get no emails or were deleted',
    [
      'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels',
      `1,ann@example.com,"Ann, ""A""","two\nlines",true,false,,2023-04-05T06:07:08.000Z,,a`,
      '2,bo@example.com,Bo,,false,false,,2023-04-05T06:07:08.000Z,,',
      '3,cy@example.com,Cy,,true,false,,2023-04-05T06:07:08.000Z,2024-01-01T00:00:00.000Z,',
    ],
    only([{ ...ANN, since: SINCE }], 2),
  ],
  [
    'readers of Substack, paying or not, without those who switched emails off',
    [
      'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment',
      'ann@example.com,false,,other,false,2023-04-05T06:07:08.000Z,',
      'bo@example.com,true,2027-01-01T00:00:00.000Z,monthly,false,2023-04-05 06:07:08,2023-05-01T00:00:00.000Z',
      'cy@example.com,true,2027-01-01T00:00:00.000Z,monthly,true,2023-04-05T06:07:08.000Z,',
    ],
    only(
      [ANN, BO].map((reader) => ({ ...reader, since: SINCE })),
      1,
    ),
  ],
  [
    'subscribers of Buttondown, without those who left or never confirmed',
    [
      'id,creation_date,email_address,notes,type,unsubscription_date',
      '1,2023-04-05T06:07:08Z,ann@example.com,,regular,',
      '2,2023-04-05T06:07:08Z,bo@example.com,,unsubscribed,2024-01-01',
      '3,2023-04-05T06:07:08Z,cy@example.com,,unactivated,',
      '4,2023-04-05T06:07:08Z,di@example.com,,premium,2024-01-01',
    ],
    only([{ ...ANN, since: SINCE }], 3),
  ],
  ['a list with no heading', ['ann@example.com', 'bo@example.com'], only([ANN, BO])],
  ['a table with semicolons and a byte order mark', ['\uFEFFName;E-Mail', 'Doe, Ann;ann@example.com'], only([ANN])],
  ['an address twice, in other letters', ['email', 'ann@example.com', ' ANN@Example.com '], only([ANN])],
  ['an address listed twice that left', ['email,state', 'ann@example.com,active', 'Ann@example.com,left'], only([], 1)],
  ['rows without an address', ['email,name', ',Ann', 'none,Bo', '"a@b.example\nBcc: c@d.example",Cy'], only([], 0, 3)],
  ['future or no dates', ['email,created_at', 'ann@example.com,soon', 'bo@example.com,2031-01-01'], only([ANN, BO])],
  ['rows of other lengths', ['email,name', 'ann@example.com', 'bo@example.com,Bo,more'], only([ANN, BO])],
  ['a formula that an export has made harmless', ['email', "'=1@example.com"], only([{ address: '=1@example.com' }])],
  ['a quote inside a cell', ['email,name', 'ann@example.com,A "B" C'], only([ANN])],
  ['no rows', ['email,name'], undefined],
  ['a table without addresses', ['name,age', 'Ann,7'], undefined],
  ['a picture', ['\x89PNG\r\n\x1a\n'], undefined],
  ['an open quote', ['email', '"ann@example.com'], undefined],
  ['nothing', [''], undefined],
] as const)('reads %s', (_, lines, expected) => expect(read(...lines)).toEqual(expected));

const since = SINCE;
const one = (address: string, state: Subscriber['state'] = 'active'): Subscriber => ({
  ...{ id: 'a', address, state, since, source: 'form' },
});

it('an export keeps spreadsheets from running a cell', () => {
  const csv = subscribersCsv([one('=1@example.com'), one('+a@example.com'), one('-a@example.com')]);
  expect(csv.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    ...['"email"', `"'=1@example.com"`, `"'+a@example.com"`, `"'-a@example.com"`, ''],
  ]);
});

it('an export comes back in an import, without those who do not get the newsletter', () => {
  const csv = subscribersCsv([one('=1@example.com'), one('bo@example.com', 'resting'), one('', 'left')]);
  expect(subscribersIn(csv, NOW)).toEqual(only([{ address: '=1@example.com', since }], 1));
});
