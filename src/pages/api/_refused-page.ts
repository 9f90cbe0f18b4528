/** Turns the API's error response into the page of a reader, who has no use for JSON. */
export const refusedPage = ({ status, headers }: Response) =>
  ({
    kind: status === 429 ? 'tooMany' : 'failed',
    status,
    retryAfter: headers.get('retry-after') ?? '',
  }) as const;
