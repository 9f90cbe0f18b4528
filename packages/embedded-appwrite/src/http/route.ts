/** Types of the HTTP routes. Each service exports an array of routes, which `http/server.ts` handles. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '@common-ink/http/client-address.ts';
import type { Caller } from '../caller.ts';

export interface Param<T> {
  readonly required: boolean;
  readonly fallback: T;
  read(raw: unknown, caller: Caller): T;
}

export type Params = Record<string, Param<unknown>>;
export type Values<P extends Params> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never };

export interface RouteContext<V> {
  readonly params: V;
  readonly caller: Caller;
  /** Checks the caller's access again after a slow body has arrived. Throws the same errors as the first check. */
  readonly admit: () => void;
  /** The client as seen through trusted proxies. */
  readonly client: Client;
  readonly request: IncomingMessage;
  /** Used for cookies and streamed responses. A JSON response is returned by the handler instead. */
  readonly response: ServerResponse;
}

/** A JSON response or an empty one. A handler that writes to `response` itself returns `undefined`. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly json?: string;
  readonly pieces?: () => Iterable<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const NO_CONTENT: Answer = { status: 204 };

export interface LimitInput {
  readonly ip: string;
  readonly method: string;
  readonly userId: string;
  readonly header: (name: string) => string;
  /** Returns a string parameter; an empty string if it is absent, or is in a body that has not been read yet. */
  readonly param: (name: string) => string;
}

/** A fixed-window limit: at most `limit` requests in `window` seconds (default 3600) per key. */
export interface RateLimit {
  readonly limit: number;
  readonly window?: number;
  /** Name of a counter shared by several routes. By default, the limit has its own counter. */
  readonly counter?: string;
  /** Returns the counter's key within the route. Default: the client's network. */
  readonly key?: (input: LimitInput) => string;
  /** Returns a key that depends on the body; called once the body has been read. `undefined` means no limit. */
  readonly bodyKey?: (input: LimitInput) => string | undefined;
  readonly cost?: (input: LimitInput) => number;
  /** Resets the counter when the route responds with 201, e.g. after a sign-in. */
  readonly resetOnSuccess?: boolean;
  /**
   * `failures` counts only requests that end with 401, 404 or 409. While a request runs, it counts too, so at most
   * `limit` guesses run at the same time. Implies `quiet`.
   */
  readonly counts?: 'failures';
  /** Shows the limit in responses only once it is exceeded. */
  readonly quiet?: true;
  /** Replaces the default message of the 429 error. */
  readonly refusal?: string;
}

export interface Route<P extends Params = Params> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Pattern below `/v1`, e.g. `/databases/:databaseId/collections`. */
  readonly path: string;
  /** Older patterns for the same route, with the same parameters and shared limits. */
  readonly aliases?: readonly string[];
  /** The required scope. Every caller has `global`; all callers without a server key have `public`. */
  readonly scope: string;
  /** `session` rejects a signed-in caller (401 `user_session_already_exists`) before parameters are read. */
  readonly group?: 'session' | undefined;
  /** For ping and version: accepts requests that do not name this project, and treats their callers as guests. */
  readonly withoutProject?: boolean;
  /** Default for routes that write: `WRITES` in `router.ts`. An empty list means no limit. */
  readonly limits?: readonly RateLimit[];
  /** Allows a session that has yet to pass a second factor. */
  readonly whileFactorOwed?: true;
  /** Allows this write even on a full disk. Reads and deletions are always allowed. */
  readonly whenFull?: true;
  readonly takesOlderQueries?: true;
  /** Maximum size of a JSON body in bytes; default `SMALL_BODY`. */
  readonly largestBody?: number;
  readonly params: P;
  /** `stream` leaves the body to the handler (uploads). */
  readonly body?: 'json' | 'stream';
  handle(context: RouteContext<Values<P>>): Answer | undefined | Promise<Answer | undefined>;
}

export function route<P extends Params>(definition: Route<P>): Route {
  return definition as unknown as Route;
}

/** Declares a route in one line: `endpoint('GET /teams/:teamId', 'teams.read', { teamId }, handle)`. */
export function endpoint<P extends Params>(
  address: `${Route['method']} /${string}`,
  options: string | Omit<Route, 'method' | 'path' | 'params' | 'handle'>,
  params: P,
  handle: Route<P>['handle'],
): Route {
  const [method, path] = address.split(' ') as [Route['method'], string];
  return route({ method, path, ...(typeof options === 'string' ? { scope: options } : options), params, handle });
}
