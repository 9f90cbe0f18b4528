/**
 * Creates and reads the tokens in the newsletter's links. The token for a subscription request contains the encrypted
 * request; a subscriber's token contains a stored secret.
 */
import { timingSafeEqual } from 'node:crypto';
import { derivedKey, seal, unseal } from '../seal.ts';
import type { StoredSubscriber } from './subscribers.ts';

/** A request to subscribe an address. */
export interface Asked {
  readonly address: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly source: 'form' | 'added';
  /** The id of the subscriber who wants to change to this address. */
  readonly from?: string;
}

export function newsletterLinks(apiKey: string) {
  const sealing = derivedKey(apiKey, 'newsletter requests');
  return {
    /**
     * Returns a request as an encrypted token: `proof` for the page shown after the subscription form, `confirm` for
     * the link in the confirmation email.
     */
    request: (purpose: 'proof' | 'confirm', asked: Asked): string => seal(sealing, JSON.stringify(asked), purpose),
    /** Returns the request in a token; undefined if this site did not make the token for this purpose. */
    requested(purpose: 'proof' | 'confirm', token: string): Asked | undefined {
      const text = unseal(sealing, token, purpose);
      return text === undefined ? undefined : (JSON.parse(text) as Asked);
    },
  };
}

type Proven = Pick<StoredSubscriber, 'id' | 'secret'>;

/** Returns the token for a subscriber's links to change the address or unsubscribe. It does not expire. */
export const manageToken = ({ id, secret }: Proven): string => `${id}.${secret}`;

/** Parses a token made by `manageToken`. Do not trust `id` until `isOf` has compared the token with a subscriber's. */
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
