/**
 * The type of every endpoint. A service exports an array of routes; `http/server.ts` checks a request in the
 * contract's order (project, authentication, scope, blocked user, rate limit, session group, parameters) and calls
 * `handle` last.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '@common-ink/http/client-address.ts';
import type { Caller } from '../caller.ts';

/** A request parameter. `read` throws `ParamFault` with the validator's text. */
export interface Param<T> {
  readonly required: boolean;
  /** The value of an optional parameter that is absent or null. */
  readonly fallback: T;
  read(raw: unknown, caller: Caller): T;
}

export type Params = Record<string, Param<unknown>>;
export type Values<P extends Params> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never };

export interface RouteContext<V> {
  /** Validated parameters, from path, then query string (GET) or body (all others). */
  readonly params: V;
  readonly caller: Caller;
  /**
   * Authenticates again after a body, which may take minutes: the caller may have lost rights. Throws the route's
   * refusals.
   */
  readonly admit: () => void;
  /** The client, seen through trusted proxies. */
  readonly client: Client;
  readonly request: IncomingMessage;
  /** For cookies and streamed answers; a JSON answer is returned instead. */
  readonly response: ServerResponse;
}

/** A JSON answer; `body` undefined sends none (204). `undefined` from a handler means it wrote the response itself. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** The body as JSON text, instead of `body`. */
  readonly json?: string;
  /** The body, made while the client reads. */
  readonly pieces?: () => Iterable<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request before its body is read. */
export interface LimitInput {
  readonly ip: string;
  readonly method: string;
  readonly userId: string;
  readonly header: (name: string) => string;
}

/** A request with its body: `param` returns a parameter's text, or an empty one. */
export interface BodyLimitInput extends LimitInput {
  readonly param: (name: string) => string;
}

/** A fixed-window limit: at most `limit` requests in `window` seconds (default 3600) for each value of its key. */
export interface RateLimit {
  readonly limit: number;
  readonly window?: number;
  /** Names a counter that several routes share. Default: the limit's own. */
  readonly counter?: string;
  /** Returns the key of the counter within the route. Default: the client's address. */
  readonly key?: (input: LimitInput) => string;
  /** Returns a key that depends on the body, after it is read. `undefined` is not limited. */
  readonly bodyKey?: (input: BodyLimitInput) => string | undefined;
  /** Returns how much of the limit a request uses, default 1. */
  readonly cost?: (input: LimitInput) => number;
  /** Zero the counter when the route answers 201 (sign-in). */
  readonly resetOnSuccess?: boolean;
  /**
   * `failures`: counts only requests that are answered with 401, 404 or 409. Each one is counted before it is
   * handled and taken back afterwards, so that no more than `limit` run at once. Implies `quiet`.
   */
  readonly counts?: 'failures';
  /** Answers show the limit only once it is exceeded. */
  readonly quiet?: true;
  /** Replaces the usual text of the 429. */
  readonly refusal?: string;
}

export interface Route<P extends Params = Params> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Pattern below `/v1`, e.g. `/databases/:databaseId/collections`. */
  readonly path: string;
  /** Older patterns of the same route, with the same parameters; they share its limits. */
  readonly aliases?: readonly string[];
  /** The scope a caller needs. Everyone has `global`; everyone but keys has `public`. */
  readonly scope: string;
  /** `session`: refuses a signed-in caller (401 user_session_already_exists), before parameters. */
  readonly group?: 'session' | undefined;
  /** No project needed (health, version). */
  readonly withoutProject?: boolean;
  /** Default for routes that write: `WRITES` of `router.ts`. An empty list means no limit. */
  readonly limits?: readonly RateLimit[];
  /** Whether a session that owes a second factor may call it. */
  readonly whileFactorOwed?: true;
  /** Whether it works on a full disk; reading and deleting always do. */
  readonly whenFull?: true;
  /** Whether it takes queries of older clients, see `older-queries.ts`. */
  readonly takesOlderQueries?: true;
  /** Bytes of the largest JSON body; default `SMALL_BODY`. */
  readonly largestBody?: number;
  /** In declaration order; the first failing one is reported. */
  readonly params: P;
  /** `stream`: the handler reads the body itself (uploads). */
  readonly body?: 'json' | 'stream';
  handle(context: RouteContext<Values<P>>): Answer | undefined | Promise<Answer | undefined>;
}

/** Declares a route, and infers its parameters' types. */
export function route<P extends Params>(definition: Route<P>): Route {
  return definition as unknown as Route;
}
