const ACCOUNT_ACTIONS: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

/**
 * Returns the channel, with the user's id added to `account` and `account.<action>`; `undefined` for another user's
 * channel (contract 2.6).
 */
export function resolveChannel(requested: string, userId: string | undefined): string | undefined {
  const [first, second, third, ...rest] = requested.split('.');
  if (first !== 'account') return requested;
  if (userId !== undefined && second === userId) {
    if (third === undefined) return requested;
    return rest.length === 0 && ACCOUNT_ACTIONS.has(third) ? requested : undefined;
  }
  if (second === undefined) return userId === undefined ? requested : `account.${userId}`;
  if (third !== undefined || !ACCOUNT_ACTIONS.has(second)) return undefined;
  return userId === undefined ? requested : `account.${userId}.${second}`;
}
