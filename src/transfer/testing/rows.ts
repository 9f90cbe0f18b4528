import type { Files, TakeOptions } from '../../../tests/support/importing.ts';

export type Input = string | Buffer | Files;

/**
 * A post's expected content, or expected properties of the post and its result. By default, `outcome` is `taken` and
 * `losses` is empty. `content` has no line ends between tags; `/post/2` stands for the second result's post and
 * `picture 1` for the URL of the first picture.
 */
export type Gives =
  | string
  | (Readonly<Record<string, unknown>> & {
      readonly notes?: string | readonly string[];
      readonly noNote?: string;
      /** Each text must occur in the loss that has the same index. */
      readonly losses?: readonly string[];
      /** An old address that redirects to the post, or to `leadsTo`. */
      readonly address?: string;
      readonly leadsTo?: string;
      readonly email?: string;
    });

/** `gives` is the only result, the list of all results, or the error that the import throws. */
export type Row = readonly [
  input: Input,
  gives: Gives | readonly Gives[] | Error,
  options?: TakeOptions & {
    /** Names of red pictures (9 × 9 pixels) in the folder of the old site's files. */
    readonly pictures?: readonly string[];
  },
];

export type Rows = Readonly<Record<string, Row>>;

/** Makes a row from each item. The first element that `rowOf` returns is the test's name. */
export const each = <Item>(items: readonly Item[], rowOf: (item: Item) => readonly [string, ...Row]): Rows =>
  Object.fromEntries(items.map(rowOf).map(([name, ...row]) => [name, row]));

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
export const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
export const link = (address: string, words = address) => `<p><a href="${address}">${words}</a></p>`;
export const formula = (tex: string) => `<code class="language-math">${tex}</code>`;
/** A creation date in the format in which posts store it. */
export const CREATED = '2020-01-02T03:04:05.000+00:00';
/** Encodes each character as one byte, so that the result can be invalid UTF-8. */
export const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Time limit for one text in these tests. A short text takes less, even on a busy machine. */
export const LONGEST_MS = 3000;
export const TOO_SLOW = { outcome: 'failed', reason: 'it takes more than 3 seconds to read. Shorten or split it' };
/** HTML that is slow to parse, because each paragraph repeats all open elements. */
export const SLOW = Array.from({ length: 40_000 }, (_, n) => `<font color="${n}"><p>x`).join('');
