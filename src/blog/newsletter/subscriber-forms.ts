/** Schemas of the data that readers and owners send about subscribers, shared by forms, the API and the import. */
import * as z from 'zod/mini';
import { newsletterText } from '../messages/newsletter.ts';
import type { Subscriber } from './newsletter.ts';

/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of which are its brackets. */
export const ADDRESS_MAX = 254;
export const IMPORT_MAX_BYTES = 8 * 1024 * 1024;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]{0,61}[\\p{L}\\p{N}\\p{M}])?';
/** Matches an ASCII local part and a domain in any script, without quotes, spaces or control characters. */
const ADDRESS = new RegExp(`^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, 'u');

// The messages are functions, because the server shows them in the site's current language.
export const addressField = z.string().check(
  z.trim(),
  z.overwrite((text) => text.normalize('NFC').replace(/@[^@]*$/, (domain) => domain.toLowerCase())),
  z.minLength(1, { error: () => newsletterText.addressRequired }),
  z.maxLength(ADDRESS_MAX, { error: () => newsletterText.addressTooLong({ most: ADDRESS_MAX }) }),
  z.refine((text) => text === '' || text.length > ADDRESS_MAX || ADDRESS.test(text), {
    error: () => newsletterText.addressInvalid,
  }),
);

export const subscribeSchema = z.object({ email: addressField });

const id = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/));

/** Body of `POST /api/newsletter`. */
export const newsletterActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add'), address: addressField }),
  z.object({ action: z.literal('import'), csv: z.string().check(z.maxLength(IMPORT_MAX_BYTES)) }),
  z.object({ action: z.enum(['remove', 'pause', 'resume', 'cancel']), id }),
  z.object({ action: z.literal('test'), slug: id }),
]);
export type NewsletterAction = z.infer<typeof newsletterActionSchema>;

/** Body of `POST /api/newsletter/preview`. */
export const mailPreviewSchema = z.object({ slug: id });

export interface ImportedSubscribers {
  readonly added: number;
  readonly known: number;
  /** Number of addresses that unsubscribed before, or that the file marks as not subscribed. */
  readonly left: number;
  /** Number of rows without a valid address. */
  readonly invalid: number;
}

/** Response of `GET /api/newsletter/subscribers`. */
export interface SubscriberPage {
  readonly subscribers: readonly Subscriber[];
  /** The next page's `after`; absent on the last page. */
  readonly next?: string;
}
