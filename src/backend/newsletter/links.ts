/** Tokens in the newsletter's mails and pages. Nothing is stored for them: they are signed or encrypted. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey, seal, unseal } from '../seal.ts';

/** A request to subscribe an address. */
export interface Asked {
  readonly address: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly source: 'form' | 'added';
  /** The subscriber who changes to this address. */
  readonly from?: string;
}

const MAC_LENGTH = 22;

export type NewsletterLinks = ReturnType<typeof newsletterLinks>;

export function newsletterLinks(apiKey: string) {
  const [sealing, signing] = [derivedKey(apiKey, 'newsletter requests'), derivedKey(apiKey, 'newsletter links')];
  const macOf = (id: string) => createHmac('sha256', signing).update(id).digest('base64url').slice(0, MAC_LENGTH);
  return {
    /** Returns a token of a request for one purpose: `proof` of the waiting page, `confirm` of the mail. */
    request: (purpose: 'proof' | 'confirm', asked: Asked): string => seal(sealing, JSON.stringify(asked), purpose),
    /** Returns undefined for a token that this site did not make for this purpose. */
    requested(purpose: 'proof' | 'confirm', token: string): Asked | undefined {
      const text = unseal(sealing, token, purpose);
      return text === undefined ? undefined : (JSON.parse(text) as Asked);
    },
    /** Returns the token by which a subscriber changes the address or leaves. It does not expire. */
    manage: (id: string): string => `${id}.${macOf(id)}`,
    /** Returns the subscriber's id; undefined for a token that this site did not make. */
    managed(token: string): string | undefined {
      const [id = '', mac = '', ...rest] = token.split('.');
      const [right, sent] = [Buffer.from(macOf(id)), Buffer.from(mac)];
      return rest.length === 0 && sent.length === right.length && timingSafeEqual(sent, right) ? id : undefined;
    },
  };
}
