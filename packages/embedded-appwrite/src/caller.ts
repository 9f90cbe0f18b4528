/** The sender of a request: a guest, a signed-in user or a server key, with the roles and scopes the contract gives each. */

/** What a request needs to know of a user; the account service has the whole record here. */
export interface CallerUser {
  readonly id: string;
  /** Empty for anonymous users. */
  readonly email: string;
  /** False: blocked. */
  readonly status: boolean;
}

export interface Caller {
  readonly kind: 'guest' | 'user' | 'key';
  /** `any`, `guests` | `users`, `user:<id>`, `label:<l>` … Empty for a key, which skips permission checks. */
  readonly roles: readonly string[];
  readonly scopes: ReadonlySet<string>;
  /** True for a key: no permission checks, no rate limits, empty default permissions, disabled resources visible. */
  readonly privileged: boolean;
  readonly user?: CallerUser;
  /** The session the request was authenticated with; absent for a JWT whose session is only referred to. */
  readonly sessionId?: string;
  /** Whether the session has yet to prove a second factor, and may do nothing else. */
  readonly owesFactor?: boolean;
  readonly via: 'none' | 'cookie' | 'header' | 'fallback' | 'jwt' | 'key';
}
