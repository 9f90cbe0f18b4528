/**
 * Creates and reads the return paths of newsletter emails (VERP). Each one contains the subscriber's id and is signed,
 * so that bounces cannot be forged.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../seal.ts';
import type { StoredSubscriber } from './subscribers.ts';

/**
 * A subscriber, and their number of failures before the email was sent. When the mail server accepts the email, the
 * stored number is reset. A later bounce sets it to the number in the return path plus 1, so that reading a bounce
 * twice counts it once.
 */
export type Recipient = Pick<StoredSubscriber, 'id' | 'failures'>;

const MAC_LENGTH = 8;
/** Maximum length of a path (RFC 5321, 4.5.3.1.3). */
const LONGEST = 256;

export type ReturnPaths = ReturnType<typeof returnPaths>;

/** @param address the address for bounces; each email's return path adds `+` and a unique part before the `@` */
export function returnPaths(apiKey: string, address: string) {
  const signing = derivedKey(apiKey, 'newsletter return paths');
  const at = address.lastIndexOf('@');
  const [prefix, suffix] = [`${address.slice(0, at).toLowerCase()}+`, address.slice(at).toLowerCase()];
  function pathOf({ id, failures }: Recipient): string {
    const named = `${id}.${failures}`;
    // Uses lower-case hex, because some mail servers change the case of addresses.
    const mac = createHmac('sha256', signing).update(named).digest('hex').slice(0, MAC_LENGTH);
    return `${prefix}${named}.${mac}${suffix}`;
  }
  return {
    of: pathOf,
    /** Returns the recipient of the email with this return path; undefined if this site did not make the path. */
    recipientOf(path: string): Recipient | undefined {
      if (path.length > LONGEST || !path.toLowerCase().startsWith(prefix)) return undefined;
      const [id = '', failures = ''] = path.toLowerCase().slice(prefix.length).split('.');
      const recipient = { id, failures: Number(failures) };
      const [right, given] = [Buffer.from(pathOf(recipient)), Buffer.from(path.toLowerCase())];
      return given.length === right.length && timingSafeEqual(given, right) ? recipient : undefined;
    },
  };
}
