import type * as z from 'zod/mini';
import type { Attempts } from './attempts.ts';
import { ApiError, type JsonObject } from './json.ts';
import type { ApiLimits } from './limits.ts';
import type { PublishingLocals } from './locals.ts';

/**
 * - `anyone`: any client, in a browser or not
 * - `page`: a page of this site, whether or not its reader is signed in
 * - `user`: a signed-in user, from a page of this site
 * - `owner`: like `user`, and an owner of the site
 * - `operator`: the holder of REBUILD_TOKEN
 * - `signer`: a sender whose signature the handler checks
 */
export type Who = 'anyone' | 'page' | 'user' | 'owner' | 'operator' | 'signer';

/** A service that a site may lack. A route that needs it then responds with 403. */
export type Service =
  | 'people'
  | 'passkeys'
  | 'imports'
  | 'settings'
  | 'draftLinks'
  | 'newsletter'
  | 'remotePictures'
  | 'rebuildToken'
  | 'sync'
  | 'webhookSecret'
  | 'peerSecret';

type Site<N extends Service> = [N] extends [never]
  ? PublishingLocals | undefined
  : PublishingLocals & { readonly [name in N]: NonNullable<PublishingLocals[name]> };

export interface Call<N extends Service = never, B = undefined> {
  readonly request: Request;
  readonly query: URLSearchParams;
  /** The client's network, used for rate limits. */
  readonly address: string;
  /** Empty unless the route is for users or owners. */
  readonly userId: string;
  readonly body: B;
  /** Undefined only in development, for a route without `needs`. */
  readonly site: Site<N>;
  readonly reader: App.Locals['reader'];
}

type Limit = { [name in keyof ApiLimits]: ApiLimits[name] extends Attempts ? name : never }[keyof ApiLimits];

interface RouteOptions<N extends Service, B> {
  /** The error message for guests (default: “Sign in first.”). */
  readonly signIn?: string;
  readonly needs?: N;
  /** Limits calls per user on routes for users and owners, and per network address on others. */
  readonly limit?: Limit;
  /** Maximum size of the body in bytes (default: 4096). */
  readonly maxBytes?: number;
  /** Turns a form submission into a JSON request before the session is checked. @throws ApiError 413 */
  readonly form?: (request: Request, limits: ApiLimits) => Promise<Request>;
  /** Validates the JSON body. Without it, the handler reads the request itself. @throws ApiError 400 */
  readonly body?: (value: JsonObject) => B;
}

export interface Route<N extends Service = never, B = undefined> extends RouteOptions<N, B> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly who: Who;
  /** Undefined if an Astro page renders the response. */
  readonly handler: ((call: Call<N, B>) => Response | Promise<Response>) | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each row has its own type of body and of `needs`
export type AnyRoute = Route<any, any>;
export type AnyCall = Parameters<NonNullable<AnyRoute['handler']>>[0];

const row =
  (method: Route['method']) =>
  <N extends Service = never, B = undefined>(
    path: string,
    who: Who,
    options: RouteOptions<N, B>,
    handler?: Route<N, B>['handler'],
  ): AnyRoute => ({ method, path, who, ...options, handler });

export const get = row('GET');
export const post = row('POST');

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export const fieldAndFault = ({ path, message }: Issue): string => `${path.join('.') || 'The body'}: ${message}`;

/** Returns a parser for bodies that match `schema`. `describe` writes the error message for other bodies. */
export const checked =
  <T>(schema: z.ZodMiniType<T>, describe: (issue: Issue) => string = fieldAndFault) =>
  (value: JsonObject): T => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ApiError(400, describe(parsed.error.issues[0] ?? { path: [], message: 'not valid' }));
  };
