/** Turns the API's error response into the data of an error page, because readers cannot use JSON. */
export const refusedPage = ({ status, headers }: Response) =>
  ({
    kind: status === 429 ? 'tooMany' : 'failed',
    status,
    retryAfter: headers.get('retry-after') ?? '',
  }) as const;
