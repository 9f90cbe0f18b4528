/** A session as stored, and the JSON the services answer with (contract 2.1). */
import type { Agent } from './agent.ts';

export type Provider = 'email' | 'anonymous' | 'server' | 'token' | 'magic-url';

export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expire: string;
  readonly provider: Provider;
  readonly providerUid: string;
  readonly factors: readonly string[];
  /** When it last met a challenge; empty: never. */
  readonly mfaUpdatedAt: string;
  readonly ip: string;
  readonly agent: Agent;
}

/** @param secret shown to keys only; clients get it as a cookie. */
export function sessionJson(session: SessionRecord, { current = false, secret = '' } = {}): Record<string, unknown> {
  return {
    $id: session.id,
    $createdAt: session.createdAt,
    $updatedAt: session.updatedAt,
    userId: session.userId,
    expire: session.expire,
    provider: session.provider,
    providerUid: session.providerUid,
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
    ip: session.ip,
    ...session.agent,
    countryCode: '--',
    countryName: 'Unknown',
    current,
    factors: session.factors,
    secret,
    mfaUpdatedAt: session.mfaUpdatedAt,
  };
}
