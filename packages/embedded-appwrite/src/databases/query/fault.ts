/** A query that breaks a rule of contract 2.4. `parseQueries` converts it to the list's HTTP error. */
export class QueryFault extends Error {
  override readonly name = 'QueryFault';
}

/** Adds the prefix that nearly all faults have. */
export function invalidQuery(text: string): QueryFault {
  return new QueryFault(`Invalid query: ${text}`);
}
