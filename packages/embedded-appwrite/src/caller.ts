/** The user fields that every service may read. At run time this is the account service's full record. */
export interface CallerUser {
  readonly id: string;
  /** Empty for anonymous users. */
  readonly email: string;
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
  /** The session that authenticated the request; absent for a JWT. */
  readonly sessionId?: string;
  /** True if the session must prove a second factor before anything else. */
  readonly owesFactor?: boolean;
  readonly via: 'none' | 'cookie' | 'header' | 'fallback' | 'jwt' | 'key';
}
