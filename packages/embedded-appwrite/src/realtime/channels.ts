/** Channel names as a client gives them and as events carry them (contract 2.6). */

const ACCOUNT_ACTIONS: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

/**
 * The channel to listen on for `requested`: `account` and `account.<action>` become the user's own, another user's is
 * nothing; a guest keeps the literal name, on which nothing reaches him. All other names stay as they are.
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
