/** Calls of the site's own API as its pages make them, without a server. */
import { type ApiContext, answerApi } from '#api/answer.ts';
import { createApiLimits } from '#api/limits.ts';
import type { PublishingLocals } from '#api/locals.ts';

export const SITE = 'https://blog.example';

/** A site whose signed-in user is who the cookie `user` names, and that nothing is published on. */
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

/** A POST of JSON. A string is sent as it is. */
export const postRequest = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Request =>
  new Request(SITE + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
