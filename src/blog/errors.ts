/**
 * What a backend's error means, whatever it says: `messages.ts` has the words. An error is known by the shape in which the
 * SDKs throw it, so that none is needed here.
 */

/** Why the site itself refuses something. People and imports: in a word for `blog/messages`. */
export type Refusal =
  | 'not-allowed'
  | 'last-owner'
  | 'oneself'
  | 'not-found'
  | 'fixed'
  | 'owner-link'
  // Imports.
  | 'busy'
  | 'too-large'
  | 'no-room'
  | 'gone'
  | 'wrong-offset'
  // Pictures of other sites.
  | 'bad-address'
  | 'private-address'
  | 'site-unreachable'
  | 'site-refused'
  | 'site-slow'
  | 'no-picture';

export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: Refusal;

  constructor(code: Refusal, message: string = code, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Fault {
  /** HTTP status; 0 when the request got no answer. */
  readonly code: number;
  /** Machine-readable type, e.g. `document_already_exists`; empty when there is none. */
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

/** A command or an import cannot go on. The message is a sentence for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** True when the request never got an answer, or only a proxy's. Every engine words its network error differently. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = faultOf(error);
  if (code === 0)
    return /^(failed to fetch|networkerror|load failed|fetch failed|network request failed)/i.test(message);
  return code === 502 || code === 503 || code === 504;
}

export type FaultKind =
  | 'unreachable'
  | 'bad-credentials'
  /** 401 for any other reason. */
  | 'unauthorized'
  | 'too-many-requests'
  /** What must be unique is there already. */
  | 'taken'
  /** Somebody else's change came first. */
  | 'update-conflict'
  | 'invalid'
  /** The user has stored all that one user may. */
  | 'quota-exceeded'
  /** The server's disk is full. */
  | 'no-room'
  | 'other';

/** What went wrong, for those who say or do something of their own about it. */
export function kindOf(error: unknown): FaultKind {
  if (isUnreachable(error)) return 'unreachable';
  const { code, type } = faultOf(error);
  if (type === 'storage_quota_exceeded') return 'quota-exceeded';
  switch (code) {
    case 400:
      return 'invalid';
    case 401:
      // Other types (a missing second factor, say) are no matter of credentials and speak for themselves.
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

/** True when nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean => faultOf(error).code === 401;

/** True when a signed-in user may not do this, whatever they send. */
export const isForbidden = (error: unknown): boolean => faultOf(error).type === 'user_unauthorized';

/** Whether a message is the page of a proxy: the SDKs take whatever it sends for the backend's words. */
export const isMarkup = ({ message }: Fault): boolean => /^\s*</.test(message);
