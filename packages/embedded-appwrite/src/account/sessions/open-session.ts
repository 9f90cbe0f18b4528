import { header } from '../../http/access/credentials.ts';
import { type Answer, created, type RouteContext } from '../../http/route.ts';
import type { Kernel } from '../../kernel.ts';
import type { Accounts } from '../accounts.ts';
import { encodeSession, LONG_SECRET, tokenSecret } from '../tokens/secret.ts';
import { emitUserChange } from '../user-events.ts';
import { parseAgent } from './agent.ts';
import { type Provider, type SessionRecord, sessionJson } from './session.ts';
import { setSessionCookies } from './session-cookies.ts';

export interface Proof {
  readonly userId: string;
  readonly provider: Provider;
  readonly providerUid: string;
  readonly factors: readonly string[];
}

type Context = RouteContext<unknown>;

const BY_TOKEN: readonly Provider[] = ['token', 'magic-url'];

/** Calls `proof` and stores the session in the same write. Throws 404 `user_not_found` if the user was deleted. */
export async function recordSession(
  { store, events }: Kernel,
  { users, sessions }: Accounts,
  { request, caller, client }: Context,
  proof: () => Proof,
): Promise<{ session: SessionRecord; value: string }> {
  const secret = tokenSecret(LONG_SECRET);
  // A caller with a server key sends the User-Agent of the browser on whose behalf it acts.
  const forwarded = caller.privileged ? header(request, 'x-forwarded-user-agent') : undefined;
  const agent = parseAgent(forwarded ?? request.headers['user-agent'] ?? '');
  const session = await store.writeThoughFull(() => {
    const proved = proof();
    users.require(proved.userId);
    return sessions.insert({ ...proved, secret, ip: client.address, agent });
  });
  const { userId, id, provider } = session;
  emitUserChange(events, caller, {
    userId,
    resource: { kind: 'sessions', id },
    action: 'create',
    payload: sessionJson(session),
    // The caller has no session yet and counts as a guest, so the event names the token's user as the author.
    author: !caller.privileged && BY_TOKEN.includes(provider) ? userId : undefined,
  });
  return { session, value: encodeSession(userId, secret) };
}

/**
 * Signs the caller in, sets the session cookies and returns 201 with the session. Includes the session's secret only
 * for callers with a server key.
 */
export async function openSession(
  kernel: Kernel,
  accounts: Accounts,
  context: Context,
  proof: () => Proof,
): Promise<Answer> {
  const { session, value } = await recordSession(kernel, accounts, context, proof);
  setSessionCookies(context, kernel.options, value, session.expire);
  const secret = context.caller.privileged ? value : '';
  return created(sessionJson(session, { current: true, secret }));
}
