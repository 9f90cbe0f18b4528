import type { Files, TakeOptions } from '../../../tests/support/importing.ts';

/** One file, or the files of a folder. */
export type Input = string | Buffer | Files;

/**
 * The content of one post, or properties of one post and its result. A result without `outcome` is taken, one without
 * `losses` loses nothing. `content` is written without line ends between tags, with `/post/2` for the post of the second
 * result and `picture 1` for the address of the first picture.
 */
export type Gives =
  | string
  | (Readonly<Record<string, unknown>> & {
      /** Parts of the notes. */
      readonly notes?: string | readonly string[];
      /** No part of the notes. */
      readonly noNote?: string;
      /** A part of each loss. */
      readonly losses?: readonly string[];
      /** An old address that leads to the post, or to `leadsTo`. */
      readonly address?: string;
      readonly leadsTo?: string;
      /** The e-mail address of the account that gets the post. */
      readonly email?: string;
    });

/** `gives` lists all results, or the only one; an Error is the import's. */
export type Row = readonly [
  input: Input,
  gives: Gives | readonly Gives[] | Error,
  options?: TakeOptions & {
    /** Names of red pictures of 9 × 9 pixels in the folder of the old site's files. */
    readonly pictures?: readonly string[];
  },
];

/** By the tests' names. */
export type Rows = Readonly<Record<string, Row>>;

/** Makes a row of each item; its first member is the name. */
export const each = <Item>(items: readonly Item[], rowOf: (item: Item) => readonly [string, ...Row]): Rows =>
  Object.fromEntries(items.map(rowOf).map(([name, ...row]) => [name, row]));

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
export const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
export const link = (address: string, words = address) => `<p><a href="${address}">${words}</a></p>`;
export const formula = (tex: string) => `<code class="language-math">${tex}</code>`;
/** Encodes every letter as one byte, so that the result may be invalid UTF-8. */
export const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Allows a busy machine more time than a short text takes. */
export const LONGEST_MS = 3000;
export const TOO_SLOW = { outcome: 'failed', reason: 'it takes more than 3 seconds to read. Shorten or split it' };
/** HTML in which each paragraph repeats all open elements. */
export const SLOW = Array.from({ length: 40_000 }, (_, n) => `<font color="${n}"><p>x`).join('');
