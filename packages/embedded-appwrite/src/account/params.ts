import { exactText } from '../http/exact-json.ts';
import { invalid, type Validator, validator } from '../http/params.ts';
import type { Kernel } from '../kernel.ts';

const PASSWORD_MAXIMUM = 256;
const PREFS_MAXIMUM = 65_535;
/** Maximum size in bytes of a request body with preferences. JSON may escape each character as six bytes (`\u00e9`). */
export const PREFS_BODY = 512 * 1024;

/** Accepts a password of `minimum` to 256 bytes (contract 3 counts bytes, not characters). */
export function password(minimum: number, { allowEmpty = false }: { allowEmpty?: boolean } = {}): Validator<string> {
  return validator(`Password must be between ${minimum} and ${PASSWORD_MAXIMUM} characters long.`, (raw) => {
    if (typeof raw !== 'string') return undefined;
    if (allowEmpty && raw === '') return raw;
    const bytes = Buffer.byteLength(raw);
    return bytes >= minimum && bytes <= PASSWORD_MAXIMUM ? raw : undefined;
  });
}

export function preferences(): Validator<Record<string, unknown>> {
  const description = 'Value must be a valid object';
  return validator(description, (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
    if (exactText(raw).length > PREFS_MAXIMUM) {
      throw invalid(`${description} of at most ${PREFS_MAXIMUM} characters as JSON`);
    }
    return raw as Record<string, unknown>;
  });
}

export function phone({ allowEmpty = false }: { allowEmpty?: boolean } = {}): Validator<string> {
  return validator("Phone number must start with a '+' can have a maximum of fifteen digits.", (raw) =>
    typeof raw === 'string' && (/^\+\d{4,15}$/.test(raw) || (allowEmpty && raw === '')) ? raw : undefined,
  );
}

const NO_URI = 'Invalid URI.';
const LONGEST_URL = 2048;

/**
 * Accepts the URL to use for an emailed link (contract part 2, section 2). The URL's origin must be allowed, because
 * the link contains a secret.
 */
export function redirectUrl({ origins, options }: Pick<Kernel, 'origins' | 'options'>): Validator<string> {
  const callback = `appwrite-callback-${options.projectId}:`.toLowerCase();
  return validator(NO_URI, (raw) => {
    const url = typeof raw === 'string' ? URL.parse(raw) : null;
    if (!url || url.href.length > LONGEST_URL || url.username !== '' || url.password !== '') return undefined;
    if (url.protocol === callback) return url.href;
    if (url.hostname === '') return undefined;
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    if (isWeb && origins.allows(url.origin)) return url.href;
    throw invalid(
      `${NO_URI} Register your new client (${url.hostname}) as a new ${isWeb ? 'Web' : ''} platform on your project console dashboard`,
    );
  });
}
