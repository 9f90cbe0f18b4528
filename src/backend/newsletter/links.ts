/** Tokens in the newsletter's mails and pages. A request is encrypted and not stored; a subscriber's secret is. */
import { timingSafeEqual } from 'node:crypto';
import { derivedKey, seal, unseal } from '../seal.ts';
import type { StoredSubscriber } from './subscribers.ts';

/** A request to subscribe an address. */
export interface Asked {
  readonly address: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly source: 'form' | 'added';
  /** The subscriber who changes to this address. */
  readonly from?: string;
}

export type NewsletterLinks = ReturnType<typeof newsletterLinks>;

export function newsletterLinks(apiKey: string) {
  const sealing = derivedKey(apiKey, 'newsletter requests');
  return {
    /** Returns a token of a request for one purpose: `proof` of the waiting page, `confirm` of the mail. */
    request: (purpose: 'proof' | 'confirm', asked: Asked): string => seal(sealing, JSON.stringify(asked), purpose),
    /** Returns undefined for a token that this site did not make for this purpose. */
    requested(purpose: 'proof' | 'confirm', token: string): Asked | undefined {
      const text = unseal(sealing, token, purpose);
      return text === undefined ? undefined : (JSON.parse(text) as Asked);
    },
  };
}

type Proven = Pick<StoredSubscriber, 'id' | 'secret'>;

/** Returns the token by which a subscriber changes the address or leaves. It does not expire. */
export const manageToken = ({ id, secret }: Proven): string => `${id}.${secret}`;

/** Returns the id in such a token. `isOf` tells whether the token is the subscriber's. */
export function readManageToken(token: string) {
  const [id = ''] = token.split('.');
  const given = Buffer.from(token);
  return {
    id,
    isOf(subscriber: Proven): boolean {
      const right = Buffer.from(manageToken(subscriber));
      return subscriber.secret !== '' && given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
