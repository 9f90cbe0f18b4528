import { faultOf } from '#blog/errors.ts';

/** Matches the error for querying an attribute that a backend lacks because it was not provisioned after an upgrade. */
export const UNKNOWN_ATTRIBUTE = /Attribute not found in schema/;

/** Resolves to undefined if `asked` fails with a status, type or message matching `fault`. @throws any other error */
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
