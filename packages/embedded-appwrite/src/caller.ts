/** The user fields that every service may read. At run time, the object is the account service's full user record. */
export interface CallerUser {
  readonly id: string;
  /** Empty for anonymous users. */
  readonly email: string;
  readonly status: boolean;
}

export interface Caller {
  readonly kind: 'guest' | 'user' | 'key';
  /**
   * Role strings, for example `any`, `guests`, `users`, `user:<id>` or `label:<name>`. Empty for a caller with a server
   * key, because such callers skip permission checks.
   */
  readonly roles: readonly string[];
  readonly scopes: ReadonlySet<string>;
  /**
   * True for a caller with a server key. Such callers skip permission checks and rate limits, have empty default
   * permissions, and see disabled resources.
   */
  readonly privileged: boolean;
  readonly user?: CallerUser;
  /** The session that authenticated the request; absent if a JWT did. */
  readonly sessionId?: string;
  /** True if a second factor is still required before the session can be used for anything else. */
  readonly owesFactor?: boolean;
  readonly via: 'none' | 'cookie' | 'header' | 'fallback' | 'jwt' | 'key';
}
