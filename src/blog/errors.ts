/** Classifies backend errors by their fields, so that no SDK is imported here. Messages are in `messages.ts`. */

export type Refusal =
  | 'not-allowed'
  | 'last-owner'
  | 'oneself'
  | 'not-found'
  | 'fixed'
  | 'owner-link'
  | 'passkey-unknown'
  | 'passkey-expired'
  | 'passkey-cloned'
  | 'passkey-unproven'
  | 'last-passkey'
  | 'too-many-passkeys'
  | 'proof-needed'
  | 'wrong-password'
  | 'address-taken'
  | 'busy'
  | 'too-large'
  | 'no-room'
  | 'gone'
  | 'wrong-offset'
  | 'bad-address'
  | 'private-address'
  | 'site-unreachable'
  | 'site-refused'
  | 'site-slow'
  | 'no-picture'
  | 'unavailable';

/** Error for a request that the site refuses or cannot fulfil. Callers check `code` and show or log the message. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: Refusal;

  constructor(code: Refusal, message: string = code, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Fault {
  /** HTTP status; 0 if there was no response. */
  readonly code: number;
  /** Machine-readable type, e.g. `document_already_exists`; empty if the error has none. */
  readonly type: string;
  readonly message: string;
}

export function faultOf(error: unknown): Fault {
  const { code, type, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    code: typeof code === 'number' ? code : 0,
    type: typeof type === 'string' ? type : '',
    message: typeof message === 'string' ? message : typeof error === 'string' ? error : '',
  };
}

/** An error response from `/api`, thrown by the server to send it and by the browser on receiving it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 in the browser if there was no response. */
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

/** An error that ends a command or an import, with a message for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Returns true for a network error, recognised by its message, and for a proxy's 502, 503 or 504. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = faultOf(error);
  if (code === 0)
    return /^(failed to fetch|networkerror|load failed|fetch failed|network request failed)/i.test(message);
  return code === 502 || code === 503 || code === 504;
}

/** Returns the kind of a backend error, so that callers can choose a message for it. */
export function kindOf(error: unknown) {
  if (isUnreachable(error)) return 'unreachable';
  const { code, type } = faultOf(error);
  if (type === 'storage_quota_exceeded') return 'quota-exceeded';
  switch (code) {
    case 400:
      return 'invalid';
    case 401:
      // A 401 of another type, such as a missing second factor, does not mean wrong credentials.
      return type === '' || type === 'user_invalid_credentials' ? 'bad-credentials' : 'unauthorized';
    case 409:
      return type.endsWith('_update_conflict') ? 'update-conflict' : 'taken';
    case 429:
      return 'too-many-requests';
    case 507:
      return 'no-room';
    default:
      return 'other';
  }
}

export const isSignedOut = (error: unknown): boolean => faultOf(error).code === 401;

/** Returns true if the user lacks permission for the request, as opposed to having sent invalid data. */
export const isForbidden = (error: unknown): boolean => faultOf(error).type === 'user_unauthorized';

/** Returns true for a proxy's HTML page, which the SDKs pass on as the backend's message. */
export const isMarkup = ({ message }: Fault): boolean => /^\s*</.test(message);
