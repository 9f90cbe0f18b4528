/**
 * Handles requests in the contract's order (1.1): route, project, origin, authentication, scope, blocked user, rate
 * limit, session group, parameters, action. Limits that do not need the body are counted before reading it. A body may
 * take minutes to arrive, so the checks from project to blocked user are repeated afterwards.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientOf, networkOf } from '@common-ink/http/client-address.ts';
import type { Caller } from '../caller.ts';
import type { FreeSpace } from '../quota/free-space.ts';
import type { Authenticate } from './access/authenticate.ts';
import { header } from './access/credentials.ts';
import type { Origins } from './access/origin.ts';
import { projectOf, requireProject, requireScope } from './access/project-check.ts';
import { type LimitState, type Outcome, type RateLimiter, tighter } from './access/rate-limits.ts';
import { BODY_LIMIT, drain, GUEST_BODY, GUEST_JSON, readJson, SMALL_BODY, USER_BODY } from './body.ts';
import { AppwriteError } from './errors.ts';
import { LongAnswers } from './long-answers.ts';
import { withQueriesOfToday } from './older-queries.ts';
import { readParam } from './params.ts';
import { parseQuery, type Query } from './query-string.ts';
import { RequestContext, shownError } from './request-context.ts';
import type { Answer, LimitInput } from './route.ts';
import type { CompiledRoute, Limits, Match, Router } from './router.ts';
import { UnreadAnswers } from './unread-answers.ts';

export interface Pipeline {
  readonly projectId: string;
  readonly log?: ((level: 'error', message: string, error: unknown) => void) | undefined;
  readonly freeSpace: FreeSpace;
  /** Called with every unexpected error, because it may indicate a damaged database. */
  readonly noteError: (error: unknown) => void;
  readonly router: Router;
  readonly origins: Origins;
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly clientOf: ClientOf;
}

type Source = Readonly<Record<string, unknown>>;

const BASE = '/v1';
const LONGEST_KEY_PART = 320;
/** Maximum size of a body on any route, in bytes. Parsing holds it in memory three times: bytes, string and values. */
const LARGEST_BODY: Readonly<Record<Caller['kind'], number>> = { guest: GUEST_BODY, user: USER_BODY, key: BODY_LIMIT };
/** Limits invalid bodies per user, or per network for guests. Once exceeded, later bodies are refused unread. */
const BAD_BODIES: Limits = {
  counter: 'bad bodies',
  limits: [{ limit: 100, window: 60, key: ({ ip, userId }) => (userId ? `user ${userId}` : ip), quiet: true }],
};
/** Statuses that mean a wrong guess of a secret, an id or an email address. */
const WRONG_GUESS: readonly number[] = [401, 404, 409];

function readParams(
  { params }: CompiledRoute,
  values: readonly string[],
  source: Source,
  caller: Caller,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const { name, param, position } of params) {
    read[name] = readParam(name, param, position >= 0 ? values[position] : source[name], caller);
  }
  return read;
}

/** @param source returns the parameters read so far, except path parameters */
function limitInput(context: RequestContext, { compiled, values }: Match, source: () => Source): LimitInput {
  return {
    ip: networkOf(context.client.address),
    method: compiled.route.method,
    userId: context.caller.user?.id ?? '',
    param(name) {
      const position = compiled.pathNames.indexOf(name);
      const raw = position >= 0 ? values[position] : source()[name];
      return typeof raw === 'string' ? raw.slice(0, LONGEST_KEY_PART) : '';
    },
    header: (name) => header(context.request, name.toLowerCase()) ?? '',
  };
}

export function createRequestHandler(pipeline: Pipeline) {
  const { projectId, log, freeSpace, noteError, router, origins, authenticate, limiter, clientOf } = pipeline;
  const services = { clientOf, origins, longAnswers: new LongAnswers(), unreadAnswers: new UnreadAnswers() };

  function fail(context: RequestContext, error: unknown): void {
    settleLimits(context, 'other');
    const shown = shownError(error);
    // Does not report a full disk or a damaged database, because the store itself logs each of them once.
    if (shown !== error && shown.type === 'general_unknown') {
      noteError(error);
      const { method, url } = context.request;
      log?.('error', `${method} ${url?.split('?')[0]} failed.`, error);
    }
    context.fail(shown);
  }

  function admit(context: RequestContext, { route }: CompiledRoute, query: Query): void {
    const { request } = context;
    const { origin } = request.headers;
    if (!route.withoutProject || projectOf(request, query) === projectId) {
      requireProject(request, query, projectId);
      if (origin && !request.headers['x-appwrite-key']) origins.enforce(origin);
      context.caller = authenticate(request);
    }
    requireScope(context.caller, route.scope, request, projectId);
    if (context.caller.user?.status === false) throw new AppwriteError('user_blocked');
    if (context.caller.owesFactor && !route.whileFactorOwed) throw new AppwriteError('user_more_factors_required');
  }

  function count(context: RequestContext, { counter, limits }: Limits, input: LimitInput): LimitState | undefined {
    const taken = limiter.take(counter, limits, input, !context.caller.privileged);
    context.taken.push(taken);
    return taken.state;
  }

  function settleLimits({ taken }: RequestContext, outcome: Outcome): void {
    for (const each of taken.splice(0)) each.settle(outcome);
  }

  function enforce(context: RequestContext, state: LimitState | undefined): void {
    if (!state) return;
    context.addHeader('X-RateLimit-Limit', String(state.limit));
    context.addHeader('X-RateLimit-Remaining', String(state.remaining));
    context.addHeader('X-RateLimit-Reset', String(state.reset));
    if (state.exceeded) throw new AppwriteError('general_rate_limit_exceeded', state.refusal);
  }

  /**
   * Runs the route's action and sends its response, in the same turn of the event loop unless the action returns a
   * promise.
   */
  function act(context: RequestContext, { compiled, values }: Match, source: Source): void {
    const { route } = compiled;
    // Uploads (`stream`) check the free space themselves.
    const takesRoom = route.method !== 'GET' && route.method !== 'DELETE' && route.body !== 'stream';
    if (takesRoom && !route.whenFull) freeSpace.require(context.caller);
    if (route.group === 'session' && context.caller.user) throw new AppwriteError('user_session_already_exists');
    context.params = readParams(compiled, values, source, context.caller);
    const settle = (answer: Answer | undefined): void => {
      settleLimits(context, answer?.status === 201 ? 'made' : 'other');
      if (!answer) return;
      const { pieces } = answer;
      if (pieces) context.sendPieces({ ...answer, pieces }).catch((error) => fail(context, error));
      else context.send(answer);
    };
    const refuse = (error: unknown): void => {
      if (error instanceof AppwriteError && WRONG_GUESS.includes(error.code)) settleLimits(context, 'failed');
      fail(context, error);
    };
    try {
      const answer = route.handle(context);
      if (answer instanceof Promise) answer.then(settle).catch(refuse);
      else settle(answer);
    } catch (error) {
      refuse(error);
    }
  }

  async function bodyOf(context: RequestContext, { route }: CompiledRoute, input: LimitInput): Promise<Source> {
    const { counter, limits } = BAD_BODIES;
    const isCounted = !context.caller.privileged;
    if (isCounted && limiter.isExceeded(counter, limits, input)) throw new AppwriteError('general_rate_limit_exceeded');
    try {
      const largest = route.largestBody ?? SMALL_BODY;
      const { kind } = context.caller;
      const json = kind === 'guest' ? GUEST_JSON : undefined;
      return await readJson(context.request, Math.min(largest, LARGEST_BODY[kind]), json);
    } catch (error) {
      const isBad = error instanceof AppwriteError && (error.code === 400 || error.code === 413);
      if (isBad) limiter.take(counter, limits, input, isCounted);
      throw error;
    }
  }

  async function receive(context: RequestContext, match: Match): Promise<void> {
    const { compiled } = match;
    let source: Source = {};
    const input = limitInput(context, match, () => source);
    let state = count(context, compiled.limits, input);
    if (!state?.exceeded) {
      try {
        source = await bodyOf(context, compiled, input);
      } catch (error) {
        enforce(context, state);
        throw error;
      }
      state = tighter(state, count(context, compiled.bodyLimits, input));
    }
    enforce(context, state);
    context.admit();
    act(context, match, source);
  }

  return function handle(request: IncomingMessage, response: ServerResponse): void {
    const { url = '/', method = 'GET' } = request;
    if (method === 'OPTIONS') {
      response.writeHead(204, ['Server', 'Appwrite', ...origins.preflight(request.headers.origin)]).end();
      return;
    }
    const context = new RequestContext(request, response, services);
    try {
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      const match = path.startsWith(`${BASE}/`)
        ? router.find(method === 'HEAD' ? 'GET' : method, path.slice(BASE.length))
        : undefined;
      if (!match) throw new AppwriteError('general_route_not_found');
      const written = parseQuery(mark < 0 ? '' : url.slice(mark + 1));
      const format = request.headers['x-appwrite-response-format'];
      const query = match.compiled.route.takesOlderQueries ? withQueriesOfToday(written, format) : written;
      context.admit = () => admit(context, match.compiled, query);
      context.admit();
      if (match.compiled.readsBody) {
        receive(context, match).catch(async (error) => {
          // Closing a connection with an unread body would reset it, and the client might lose the response.
          const isTooSlow = error instanceof AppwriteError && error.type === 'general_request_timeout';
          if (!response.shouldKeepAlive && !isTooSlow) await drain(request, response);
          fail(context, error);
        });
        return;
      }
      const limits = match.compiled.limits;
      const input = limits.limits.length > 0 ? limitInput(context, match, () => query) : undefined;
      if (input) enforce(context, count(context, limits, input));
      act(context, match, query);
    } catch (error) {
      fail(context, error);
    }
  };
}
