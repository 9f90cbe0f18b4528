/**
 * The shape every endpoint of the embedded backend has. A service exports an array of routes; `http/server.ts` walks a
 * request through the contract's order (project, authentication, scope, blocked user, rate limit, session group,
 * parameters) and calls `handle` last.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '@common-ink/http/client-address.ts';
import type { Caller } from '../caller.ts';

/** One request parameter: how it is checked and what it becomes. `read` throws `ParamFault` with the validator's text. */
export interface Param<T> {
  readonly required: boolean;
  /** Given when an optional parameter is absent or null. */
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
   * Looks again who is asking, after a body, which may take minutes: a `caller` of before may have lost rights meanwhile.
   * Throws what the route says to those it does not admit.
   */
  readonly admit: () => void;
  /** Who is at the other end, seen through trusted proxies. */
  readonly client: Client;
  readonly request: IncomingMessage;
  /** For cookies and streamed answers; a JSON answer is returned instead. */
  readonly response: ServerResponse;
}

/** A JSON answer; `body` undefined sends none (204). `undefined` from a handler means it wrote the response itself. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** The body already as JSON text, in place of `body`. */
  readonly json?: string;
  /** The same in UTF-8, in parts that are sent one after the other. */
  readonly bytes?: readonly Buffer[];
  /** The same, made while it is sent: begun when its turn comes, and continued as the client reads. */
  readonly pieces?: () => Iterable<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request can be counted under before its body is read. */
export interface LimitInput {
  readonly ip: string;
  readonly method: string;
  readonly userId: string;
  readonly header: (name: string) => string;
}

/** And afterwards: `param` gives a parameter's text, empty when it is none. */
export interface BodyLimitInput extends LimitInput {
  readonly param: (name: string) => string;
}

/** A fixed-window limit: at most `limit` requests in `window` seconds (default 3600) for each value of its key. */
export interface RateLimit {
  readonly limit: number;
  readonly window?: number;
  /** Names a counter that several routes share. Default: one of this limit's own. */
  readonly counter?: string;
  /** What the counter belongs to besides the route pattern. Default: the client's address. */
  readonly key?: (input: LimitInput) => string;
  /** In its place, where that depends on the body: counted once it is read. `undefined` is not limited. */
  readonly bodyKey?: (input: BodyLimitInput) => string | undefined;
  /** What a request uses of the limit, default 1. */
  readonly cost?: (input: LimitInput) => number;
  /** Zero the counter when the route answers 201 (sign-in). */
  readonly resetOnSuccess?: boolean;
  /**
   * `failures`: counts only requests that the handler answers with 401, 404 or 409. The server counts each one before it is
   * handled and takes the others back, so that it handles no more than `limit` of those that come at once. Implies `quiet`.
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
  /** The scope a caller needs. `global` everybody has, `public` everybody but keys. */
  readonly scope: string;
  /** `session`: refuse a caller who has a session already (401 user_session_already_exists), before parameters. */
  readonly group?: 'session' | undefined;
  /** No project needed (health, version). */
  readonly withoutProject?: boolean;
  /** Absent from a route that writes: `WRITES` of `router.ts`. An empty list says that it has none. */
  readonly limits?: readonly RateLimit[];
  /** Answered to a session that owes a second factor, too: what it needs to prove one, or to end. */
  readonly whileFactorOwed?: true;
  /** Answered however little room the disk has; reading and deleting always are. */
  readonly whenFull?: true;
  /** Takes queries of the older form from older clients, see `older-queries.ts`. */
  readonly takesOlderQueries?: true;
  /** Bytes of the largest JSON body; default `SMALL_BODY`. */
  readonly largestBody?: number;
  /** In declaration order; the first failing one is reported. */
  readonly params: P;
  /** `stream`: the kernel reads neither body nor body parameters; the handler consumes `request` (uploads). */
  readonly body?: 'json' | 'stream';
  handle(context: RouteContext<Values<P>>): Answer | undefined | Promise<Answer | undefined>;
}

/** Declares a route with its parameters' types inferred. */
export function route<P extends Params>(definition: Route<P>): Route {
  return definition as unknown as Route;
}
