import { faultOf } from '#blog/errors.ts';

/** Matches the message of a backend that was not provisioned since an upgrade, if a query names a new attribute. */
export const UNKNOWN_ATTRIBUTE = /Attribute not found in schema/;

/** Resolves to undefined if `asked` fails with this HTTP status, type, or a matching type or message. @throws others */
export async function unless<T>(fault: number | string | RegExp, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { code, type, message } = faultOf(error);
    const isMeant =
      fault instanceof RegExp ? fault.test(type) || fault.test(message) : fault === code || fault === type;
    if (isMeant) return undefined;
    throw error;
  }
}
