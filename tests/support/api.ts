import { type ApiContext, answerApi } from '#api/answer.ts';
import { createApiLimits } from '#api/limits.ts';
import type { PublishingLocals } from '#api/locals.ts';

export const SITE = 'https://blog.example';

/** Returns a site where the cookie `user` contains the id of the signed-in user. Revalidating fails. */
export const apiSite = (more: Partial<PublishingLocals> = {}): PublishingLocals => ({
  limits: createApiLimits(),
  revalidate: () => Promise.reject(new Error('This changes no page.')),
  explain: () => undefined,
  verifySession: async (headers) => {
    const [, id] = /^user=(\w+)$/.exec(headers.get('cookie') ?? '') ?? [];
    return id === undefined ? undefined : { id };
  },
  siteUrl: SITE,
  databaseId: 'blog',
  collectionId: 'articles',
  ...more,
});

export const apiContext = (
  request: Request,
  publishing: PublishingLocals | undefined,
  reader: Partial<App.Locals['reader']> = {},
  clientAddress = '192.0.2.1',
): ApiContext => ({
  request,
  clientAddress,
  locals: {
    addressOf: (_request, address) => address,
    reader: reader as App.Locals['reader'],
    ...(publishing && { publishing }),
  },
});

export const callApi = (...parameters: Parameters<typeof apiContext>): Promise<Response> =>
  answerApi(apiContext(...parameters));

/** Returns a POST request with a JSON body; a string is sent unchanged. */
export const postRequest = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Request =>
  new Request(SITE + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
