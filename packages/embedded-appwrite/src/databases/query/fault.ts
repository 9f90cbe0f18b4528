/** A query that breaks a rule of contract 2.4. `parseQueries` turns it into the HTTP error of the list at hand. */
export class QueryFault extends Error {
  override readonly name = 'QueryFault';
}

/** The usual form, with the prefix nearly all faults carry. */
export function invalidQuery(text: string): QueryFault {
  return new QueryFault(`Invalid query: ${text}`);
}
