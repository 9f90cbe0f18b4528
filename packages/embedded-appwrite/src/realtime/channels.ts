const ACCOUNT_ACTIONS: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

/**
 * Returns the channel to listen on for a requested name (contract 2.6). `account` and `account.<action>` become the
 * user's own; another user's account gives `undefined`; a guest keeps the literal name, which receives nothing. All
 * other names stay unchanged.
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
