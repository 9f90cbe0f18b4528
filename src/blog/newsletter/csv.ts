/** Reads subscribers from exports of Ghost, Substack and Buttondown, and from other CSV lists of addresses. */
import { type CsvError, parse } from 'csv-parse/sync';
import { DomainError } from '../errors.ts';
import { newsletterText } from '../messages/newsletter.ts';
import type { Subscriber } from './newsletter.ts';
import { addressField } from './subscriber-forms.ts';

export interface ListedSubscriber {
  readonly address: string;
  /** ISO date of the consent; absent if the file has none. */
  readonly since?: string;
}

const ADDRESS_COLUMNS = ['email', 'email_address', 'e_mail', 'address'];
const DATE_COLUMNS = ['created_at', 'creation_date', 'since', 'subscribed_at', 'confirm_time', 'optin_time'];
const NOT_SUBSCRIBED =
  /^(?:unsubscribed|unactivated|unconfirmed|pending|removed|left|inactive|disabled|paused|upcoming|undeliverable|bounced|resting|blocked|blocklisted|malicious|spammy|complained)$/i;
/**
 * Values that mark a row as not subscribed, each with the columns where it counts. Excludes Substack's
 * `active_subscription`, which is about payment: it is `false` for free readers.
 */
const LEFT: readonly (readonly [value: RegExp, ...columns: string[]])[] = [
  [/./, 'unsubscription_date', 'unsubscribed_at', 'deleted_at'],
  [/^(?:false|no|0)$/i, 'subscribed_to_emails', 'subscribed'],
  [/^(?:true|yes|1)$/i, 'email_disabled', 'unsubscribed'],
  [NOT_SUBSCRIBED, 'type', 'subscriber_type', 'status', 'state'],
];
const MAX_RECORD_CHARACTERS = 100_000;
/** Maximum number of rows. Reading more would block the server for seconds. */
export const MOST_ROWS = 50_000;

type Row = Readonly<Record<string, string>>;

/**
 * Returns each subscribed address once. `left` counts addresses that unsubscribed, bounced or were never confirmed;
 * `invalid` counts other rows without a valid address. Returns undefined if the text is not CSV or has no address
 * column.
 * @throws DomainError `too-large` for more than `MOST_ROWS` rows
 */
export function subscribersIn(text: string, now = Date.now()) {
  const rows = rowsOf(text);
  const column = ADDRESS_COLUMNS.find((name) => name in (rows?.[0] ?? {}));
  if (!rows || !column) return undefined;
  if (rows.length > MOST_ROWS) throw new DomainError('too-large', newsletterText.tooManyRows({ most: MOST_ROWS }));
  const found = new Map<string, ListedSubscriber>();
  const left = new Set<string>();
  let invalid = 0;
  for (const row of rows) {
    // Removes the apostrophe that exports add to keep spreadsheets from reading the cell as a formula.
    const { data: address } = addressField.safeParse(row[column]?.replace(/^\s*'(?=[=+@-])/, ''));
    const key = address?.toLowerCase() ?? '';
    if (hasLeft(row)) left.add(key || `${left.size}`);
    else if (!address) invalid++;
    else if (!found.has(key)) found.set(key, { address, ...dateOf(row, now) });
  }
  for (const key of left) found.delete(key);
  return { subscribers: [...found.values()], left: left.size, invalid };
}

function rowsOf(text: string): Row[] | undefined {
  const [head = ''] = text.replace(/^\uFEFF?\s*/, '').split(/\r?\n|\r/, 1);
  const isHeadless = addressField.safeParse(head.split(/[,;\t]/, 1)[0]).success;
  try {
    return parse(text, {
      columns: isHeadless ? ['email'] : (names: string[]) => names.map(columnName),
      delimiter: delimiterOf(head),
      bom: true,
      trim: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_CHARACTERS,
      to: MOST_ROWS + 1,
    });
  } catch (error) {
    if ((error as Partial<CsvError>).code?.startsWith('CSV_')) return undefined;
    throw error;
  }
}

const columnName = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .split(/[\s-]+/)
    .join('_');

/** Returns the most frequent delimiter. Spreadsheets write `;` in countries with decimal commas. */
const delimiterOf = (head: string): string =>
  [',', ';', '\t'].reduce((best, each) => (head.split(each).length > head.split(best).length ? each : best));

const hasLeft = (row: Row): boolean =>
  LEFT.some(([value, ...columns]) => columns.some((name) => value.test(row[name] ?? '')));

/** Returns the first valid date of a row. Reads an ISO date without a zone as UTC, and ignores future dates. */
function dateOf(row: Row, now: number): { readonly since?: string } {
  for (const name of DATE_COLUMNS) {
    const text = row[name] ?? '';
    const isPlain = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text);
    const time = Date.parse(isPlain ? `${text.replace(' ', 'T')}Z` : text);
    if (time >= 0 && time <= now) return { since: new Date(time).toISOString() };
  }
  return {};
}

/** Returns a CSV file of the subscribers who have an address. `subscribersIn` can read the file. */
export const subscribersCsv = (subscribers: readonly Subscriber[]): string =>
  [
    ['email', 'state', 'since', 'source'],
    ...subscribers.flatMap(({ address, state, since, source }) => (address ? [[address, state, since, source]] : [])),
  ]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');

/** Quotes a cell. An apostrophe keeps spreadsheets from running a cell that begins like a formula. */
const csvCell = (text: string): string => `"${text.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;
