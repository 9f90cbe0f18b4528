/**
 * The request pipeline, in the contract's order (1.1): route, project, origin, authentication, scope, blocked user, rate
 * limit, session group, parameters, action.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmbeddedOptions } from '../kernel.ts';
import { projectOf, requireProject, requireScope } from './admission.ts';
import type { Authenticate } from './authenticate.ts';
import { readJson } from './body.ts';
import type { Caller } from './caller.ts';
import { type ClientOf, networkOf } from './client.ts';
import { commonHeaders } from './common-headers.ts';
import { header } from './credentials.ts';
import { AppwriteError } from './errors.ts';
import { Exchange, shownError } from './exchange.ts';
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
  readonly clientOf: ClientOf;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

type Source = Readonly<Record<string, unknown>>;

const BASE = '/v1';
const LONGEST_KEY_PART = 320;

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
    ip: networkOf(exchange.client.address),
    method: compiled.route.method,
    userId: exchange.caller.user?.id ?? '',
    param(name) {
      const position = compiled.pathNames.indexOf(name);
      const raw = position >= 0 ? values[position] : source[name];
      return typeof raw === 'string' ? raw.slice(0, LONGEST_KEY_PART) : '';
    },
    header: (name) => header(exchange.request, name.toLowerCase()) ?? '',
  };
}

export function createRequestHandler(pipeline: Pipeline): RequestHandler {
  const { options, router, origins, authenticate, limiter, clientOf } = pipeline;
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
    const exchange = new Exchange(request, response, commonHeaders(request, origins), clientOf);
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
      fail(exchange, error);
    }
  };
}
