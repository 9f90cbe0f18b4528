/**
 * The request pipeline, in the contract's order (1.1): route, project, origin, authentication, scope, blocked user, rate
 * limit, session group, parameters, action.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmbeddedOptions } from '../kernel.ts';
import type { Authenticate } from './authenticate.ts';
import { readJson } from './body.ts';
import type { Caller } from './caller.ts';
import { clientAddress, header } from './credentials.ts';
import { AppwriteError } from './errors.ts';
import { Exchange, shownError, VERSION } from './exchange.ts';
import type { Origins } from './origin.ts';
import { ParamFault } from './params.ts';
import { parseQuery, type Query } from './query-string.ts';
import type { LimitInput, RateLimiter } from './rate-limits.ts';
import type { Answer } from './route.ts';
import type { CompiledRoute, Match, Router } from './router.ts';

export interface Pipeline {
  readonly options: EmbeddedOptions;
  readonly router: Router;
  readonly origins: Origins;
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

type Source = Readonly<Record<string, unknown>>;

const BASE = '/v1';
const KEYLESS_TEXT =
  'No Appwrite project was specified. Please specify your project ID when initializing your Appwrite SDK.';
const CONSOLE_TEXT =
  'This endpoint is not available for the console project. The Appwrite Console is a reserved project ID and cannot be used with the Appwrite SDKs and APIs. Please check if your project ID is correct.';

/** The project a request names; the query string wins over the header. */
export function projectOf(request: IncomingMessage, query: Query): string {
  const named = query.project;
  if (typeof named === 'string' && named !== '') return named;
  return header(request, 'x-appwrite-project') ?? '';
}

/** Whether version `a` is later than version `b`; both `major.minor.patch`. */
function isLater(a: string, b: string): boolean {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Headers of every answer to this request. */
function commonHeaders(request: IncomingMessage, origins: Origins): string[] {
  const { headers } = request;
  const fallback = headers.cookie || headers['x-appwrite-session'] ? 'false' : 'true';
  const common = ['Server', 'Appwrite', 'X-Content-Type-Options', 'nosniff', 'X-Debug-Fallback', fallback];
  if (headers.origin) common.push(...origins.headers(headers.origin));
  const format = headers['x-appwrite-response-format'];
  if (typeof format === 'string' && format !== VERSION && /^\d+\.\d+\.\d+$/.test(format) && isLater(format, VERSION)) {
    common.push(
      'X-Appwrite-Warning',
      `The current SDK is built for Appwrite ${format}. However, the current Appwrite server version is ${VERSION}. Please downgrade your SDK to match the Appwrite version: https://appwrite.io/docs/sdks`,
    );
  }
  return common;
}

function requireProject(request: IncomingMessage, query: Query, projectId: string): void {
  const project = projectOf(request, query);
  if (project === projectId) return;
  if (project === '' && request.headers['x-appwrite-key']) throw new AppwriteError('project_id_missing');
  if (project === '' || project === 'console') {
    throw new AppwriteError('general_access_forbidden', project === '' ? KEYLESS_TEXT : CONSOLE_TEXT);
  }
  throw new AppwriteError('project_not_found');
}

function requireScope(caller: Caller, scope: string, request: IncomingMessage, projectId: string): void {
  if (scope === 'public' || caller.scopes.has(scope)) return;
  const host = (request.headers.host ?? 'localhost').replace(/:\d+$/, '');
  const who =
    caller.kind === 'key'
      ? [`app.${projectId}@service.${host}`, 'applications']
      : [caller.user?.email || 'User', caller.kind === 'user' ? 'users' : 'guests'];
  throw new AppwriteError(
    'general_unauthorized_scope',
    `${who[0]} (role: ${who[1]}) missing scopes (${JSON.stringify([scope])})`,
  );
}

/** Validates parameters in declaration order and reports the first that fails. */
function readParams(
  { params }: CompiledRoute,
  values: readonly string[],
  source: Source,
  caller: Caller,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const { name, param, position } of params) {
    const raw = position >= 0 ? values[position] : source[name];
    if (raw === undefined || raw === null) {
      if (param.required) throw new AppwriteError('general_argument_invalid', `Param "${name}" is not optional.`);
      read[name] = param.fallback;
      continue;
    }
    try {
      read[name] = param.read(raw, caller);
    } catch (error) {
      if (!(error instanceof ParamFault)) throw error;
      throw new AppwriteError('general_argument_invalid', `Invalid \`${name}\` param: ${error.message}`);
    }
  }
  return read;
}

function limitInput(exchange: Exchange, { compiled, values }: Match, source: Source): LimitInput {
  return {
    ip: clientAddress(exchange.request),
    method: compiled.route.method,
    userId: exchange.caller.user?.id ?? '',
    param(name) {
      const position = compiled.pathNames.indexOf(name);
      const raw = position >= 0 ? values[position] : source[name];
      return raw === undefined || raw === null ? '' : String(raw);
    },
    header: (name) => header(exchange.request, name.toLowerCase()) ?? '',
  };
}

export function createRequestHandler({ options, router, origins, authenticate, limiter }: Pipeline): RequestHandler {
  const { projectId } = options;

  function fail(exchange: Exchange, error: unknown): void {
    const shown = shownError(error);
    if (shown !== error) {
      const { method, url } = exchange.request;
      options.log?.('error', `${method} ${url?.split('?')[0]} failed.`, error);
    }
    exchange.fail(shown);
  }

  /** Everything up to the scope, which needs no body. */
  function admit(exchange: Exchange, { route }: CompiledRoute, query: Query): void {
    const { request } = exchange;
    const { origin } = request.headers;
    if (!route.withoutProject || projectOf(request, query) === projectId) {
      requireProject(request, query, projectId);
      if (origin && !request.headers['x-appwrite-key']) origins.enforce(origin);
      exchange.caller = authenticate(request);
    }
    requireScope(exchange.caller, route.scope, request, projectId);
    if (exchange.caller.user?.status === false) throw new AppwriteError('user_blocked');
  }

  function countRequest(exchange: Exchange, match: Match, input: LimitInput): void {
    const { route, counter } = match.compiled;
    const state = limiter.take(counter, route.limits ?? [], input, !exchange.caller.privileged);
    exchange.addHeader('X-RateLimit-Limit', String(state.limit));
    exchange.addHeader('X-RateLimit-Remaining', String(state.remaining));
    exchange.addHeader('X-RateLimit-Reset', String(state.reset));
    if (state.exceeded) throw new AppwriteError('general_rate_limit_exceeded');
  }

  /** Limits, parameters, action; answers at once when the action does. */
  function act(exchange: Exchange, match: Match, source: Source): void {
    const { compiled, values } = match;
    const { route } = compiled;
    let input: LimitInput | undefined;
    if (route.limits && route.limits.length > 0) {
      input = limitInput(exchange, match, source);
      countRequest(exchange, match, input);
    }
    if (route.group === 'session' && exchange.caller.user) throw new AppwriteError('user_session_already_exists');
    exchange.params = readParams(compiled, values, source, exchange.caller);
    const settle = (answer: Answer | undefined): void => {
      if (input && answer?.status === 201) limiter.succeeded(compiled.counter, route.limits ?? [], input);
      if (answer) exchange.send(answer);
    };
    const answer = route.handle(exchange);
    if (answer instanceof Promise) answer.then(settle).catch((error) => fail(exchange, error));
    else settle(answer);
  }

  return function handle(request, response) {
    const { url = '/', method = 'GET' } = request;
    if (method === 'OPTIONS') {
      response.writeHead(204, ['Server', 'Appwrite', ...origins.preflight(request.headers.origin)]).end();
      return;
    }
    const exchange = new Exchange(request, response, commonHeaders(request, origins));
    try {
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      const match = path.startsWith(`${BASE}/`)
        ? router.find(method === 'HEAD' ? 'GET' : method, path.slice(BASE.length))
        : undefined;
      if (!match) throw new AppwriteError('general_route_not_found');
      const query = parseQuery(mark < 0 ? '' : url.slice(mark + 1));
      admit(exchange, match.compiled, query);
      if (!match.compiled.readsBody) act(exchange, match, query);
      else
        readJson(request)
          .then((body) => act(exchange, match, body))
          .catch((error) => fail(exchange, error));
    } catch (error) {
      fail(
        exchange,
        error instanceof URIError
          ? new AppwriteError('general_bad_request', 'The path is not validly percent-encoded.')
          : error,
      );
    }
  };
}
