import { json, type RecordOf, table, text, textOf } from '../../sqlite/table.ts';
import type { Agent } from './agent.ts';

export type Provider = 'email' | 'anonymous' | 'server' | 'token' | 'magic-url';

const COLUMNS = {
  id: text,
  userId: text,
  /** SHA-256 of the secret, in hex. */
  secret: text,
  createdAt: text,
  updatedAt: text,
  expire: text,
  provider: textOf<Provider>(),
  providerUid: text,
  factors: json<readonly string[]>(),
  /** Date of the last passed second-factor challenge; empty if there was none. */
  mfaUpdatedAt: text,
  ip: text,
  agent: json<Agent>(),
};

export const SESSIONS = table('sessions', COLUMNS);
export type SessionRecord = RecordOf<typeof COLUMNS>;

/** @param secret set only for callers with a server key; other clients receive the secret in a cookie */
export function sessionJson(session: SessionRecord, { current = false, secret = '' } = {}): Record<string, unknown> {
  const { userId, expire, provider, providerUid, ip, agent, factors, mfaUpdatedAt } = session;
  return {
    $id: session.id,
    $createdAt: session.createdAt,
    $updatedAt: session.updatedAt,
    ...{ userId, expire, provider, providerUid },
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
    ip,
    ...agent,
    countryCode: '--',
    countryName: 'Unknown',
    ...{ current, factors, secret, mfaUpdatedAt },
  };
}
