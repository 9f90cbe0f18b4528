import { DomainError, faultOf, isUnreachable, type Refusal } from '#blog/errors.ts';
import { routeErrorText } from '#blog/messages/pages.ts';
import { requireOperator, requireSameOrigin, signedIn } from './callers.ts';
import { ApiError, json, objectOf } from './json.ts';
import type { PublishingLocals } from './locals.ts';
import type { AnyCall, AnyRoute, Call, Service } from './route.ts';
import { ROUTES } from './routes.ts';

export interface ApiContext {
  readonly request: Request;
  readonly clientAddress: string;
  readonly locals: Pick<App.Locals, 'addressOf' | 'publishing' | 'reader'>;
}

const MAX_BYTES = 4096;
const NO_KEY = 'This site has no server key. Ask its operator.';
const MISSING: Readonly<Record<Service, string>> = {
  people: NO_KEY,
  passkeys: NO_KEY,
  draftLinks: NO_KEY,
  settings: NO_KEY,
  newsletter: NO_KEY,
  imports: 'This server has no command for imports: ask its operator.',
  remotePictures: 'Copying pictures is switched off here.',
  rebuildToken: 'This is switched off. Set REBUILD_TOKEN to use it.',
  sync: 'This is switched off. Set SYNC_DIR and REBUILD_TOKEN to use it.',
  webhookSecret: 'Webhooks are switched off. Set WEBHOOK_SECRET.',
  peerSecret: 'This site has no peers. Set PEERS and PEER_SECRET.',
};

/** Handles an API request. Turns errors caused by the caller or the backend into JSON; rejects with any other error. */
export async function answerApi(context: ApiContext): Promise<Response> {
  return answering(async () => {
    const row = rowOf(context.request);
    const call = await callOf(row, context);
    return row.handler?.(call) ?? json(404, { error: routeErrorText.noRoute });
  });
}

/** Checks a request whose response an Astro page renders. Returns the admitted call, or the error response to send. */
export const admit = <B>(context: ApiContext): Promise<Call<never, B> | Response> =>
  admitTo<B, Call<never, B>>(context, async (call) => call);

/** Returns the result of `work` for an admitted call, or the error response for a refused or failed one. */
export async function admitTo<B, Result extends object>(
  context: ApiContext,
  work: (call: Call<never, B>) => Promise<Result>,
): Promise<Result | Response> {
  let result: Result | undefined;
  const refusal = await answering(async () => {
    result = await work(await callOf(rowOf(context.request), context));
    return new Response(null);
  });
  return result ?? refusal;
}

function rowOf({ url, method }: Request): AnyRoute {
  const path = new URL(url).pathname.replace(/^\/api\/?/, '');
  const rows = ROUTES.filter((row) => row.path === path);
  if (rows.length === 0) throw new ApiError(404, routeErrorText.noRoute);
  const row = rows.find((each) => each.method === method);
  if (row) return row;
  const allow = rows.map((each) => each.method).join(', ');
  throw new ApiError(405, `Use ${allow} here.`, { allow });
}

async function callOf(row: AnyRoute, { request: given, clientAddress, locals }: ApiContext): Promise<AnyCall> {
  const { publishing: site, reader } = locals;
  const address = locals.addressOf(given, clientAddress);
  if (row.needs && !site?.[row.needs as Service]) throw new ApiError(403, MISSING[row.needs as Service]);
  const request = row.form && site ? await row.form(given, site.limits) : given;
  const userId = site ? await letThrough(row, request, address, site) : '';
  const body = row.body?.(await objectOf(request, row.maxBytes ?? MAX_BYTES));
  return {
    request,
    query: new URL(request.url).searchParams,
    address,
    userId,
    body,
    site: site as AnyCall['site'],
    reader,
  };
}

async function letThrough(row: AnyRoute, request: Request, address: string, site: PublishingLocals): Promise<string> {
  const isForUsers = row.who === 'user' || row.who === 'owner';
  if (request.method !== 'GET' && (isForUsers || row.who === 'page')) requireSameOrigin(request, site.siteUrl);
  if (row.who === 'operator') requireOperator(request, address, site);
  const userId = isForUsers ? await signedIn(request, address, site, row.signIn ?? 'Sign in first.') : '';
  if (row.limit) site.limits[row.limit].spend(userId || address);
  if (row.who === 'owner' && (await site.people?.roleOf(userId)) !== 'owner') throw new DomainError('not-allowed');
  return userId;
}

async function answering(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const { code, message, headers } = refusalFor(error);
    return json(code, { error: message }, headers);
  }
}

const REFUSED: Readonly<Record<Refusal, number>> = {
  'not-allowed': 403,
  'last-owner': 422,
  oneself: 422,
  'not-found': 404,
  fixed: 422,
  'owner-link': 403,
  'passkey-unknown': 403,
  'passkey-expired': 422,
  'passkey-cloned': 403,
  'passkey-unproven': 403,
  'last-passkey': 422,
  'too-many-passkeys': 422,
  'proof-needed': 403,
  'wrong-password': 422,
  'address-taken': 409,
  busy: 422,
  'too-large': 413,
  'no-room': 503,
  gone: 404,
  'wrong-offset': 422,
  'bad-address': 400,
  'private-address': 422,
  'site-unreachable': 502,
  'site-refused': 502,
  'site-slow': 504,
  'no-picture': 415,
  unavailable: 503,
};

/** Converts an error from the API, the domain or the backend to an `ApiError`. @throws any other error */
function refusalFor(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DomainError) return new ApiError(REFUSED[error.code], error.message);
  const { code, message } = faultOf(error);
  if (isUnreachable(error) || code >= 500) {
    return new ApiError(503, 'The backend did not answer. Try again shortly.', { 'retry-after': '5' });
  }
  if (code === 401) return new ApiError(403, 'not-allowed');
  if (code === 404) return new ApiError(404, 'not-found');
  if (code === 429) return new ApiError(429, message, { 'retry-after': '60' });
  if (code >= 400) return new ApiError(400, message);
  throw error;
}
