/** Verifies browsers' WebAuthn responses (https://www.w3.org/TR/webauthn-3/) with SimpleWebAuthn. */

import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG, decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { DomainError } from '#blog/errors.ts';
import { CHALLENGE_MS } from '#blog/passkeys.ts';
import type { StoredPasskey } from './stored-passkeys.ts';

/**
 * Signature algorithms. SimpleWebAuthn's defaults depend on the version of Node.js, but a passkey made on one instance
 * must work on the others.
 */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];
/** Maximum number of transports stored per passkey. WebAuthn defines six. */
const MAX_TRANSPORTS = 8;

type Credential = Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

interface RelyingParty {
  /** The site's origin. `host`, its host name, is the RP ID. */
  readonly origin: string;
  readonly host: string;
}

interface NewUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Called with a response's challenge. Returns false if the challenge was not issued for this purpose. */
type IsIssued = (challenge: string) => boolean;

export const requestOptions = ({ host }: RelyingParty, challenge: Uint8Array<ArrayBuffer>) =>
  generateAuthenticationOptions({ rpID: host, challenge, timeout: CHALLENGE_MS, userVerification: 'required' });

/** @param known the user's existing passkeys; an authenticator that holds one of them must not create another */
export const creationOptions = (
  { host }: RelyingParty,
  siteName: string,
  user: NewUser,
  challenge: Uint8Array<ArrayBuffer>,
  known: readonly StoredPasskey[],
) =>
  generateRegistrationOptions({
    ...{ rpName: siteName, rpID: host, challenge, timeout: CHALLENGE_MS },
    ...{ userID: Uint8Array.from(Buffer.from(user.id)), userName: user.email, userDisplayName: user.name },
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transports as AuthenticatorTransport[],
    })),
  });

/** Verifies a new passkey. @throws DomainError `passkey-unknown`, or an error from `isIssued` */
export async function verifyCreation(
  { origin, host }: RelyingParty,
  given: unknown,
  isIssued: IsIssued,
): Promise<Credential> {
  return orUnknown(async () => {
    const response = given as RegistrationResponseJSON;
    const attestation = decodeAttestationObject(
      Uint8Array.from(Buffer.from(response.response.attestationObject, 'base64url')),
    );
    // Refuses certificates, which could make SimpleWebAuthn fetch arbitrary URLs. The options request none.
    if (!/^(?:none|packed)$/.test(attestation.get('fmt')) || attestation.get('attStmt').get('x5c')) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...{ response, expectedChallenge: isIssued, expectedOrigin: origin, expectedRPID: host },
      ...{ requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS },
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.filter((name) => /^[a-z-]{1,32}$/.test(name)).slice(0, MAX_TRANSPORTS),
    };
  });
}

/**
 * Verifies a response made with a stored passkey and returns its new counter.
 * @throws DomainError `passkey-unknown`, or an error from `isIssued`
 */
export async function verifyUse(
  { origin, host }: RelyingParty,
  given: unknown,
  { userId, credentialId, publicKey }: StoredPasskey,
  isIssued: IsIssued,
): Promise<number> {
  return orUnknown(async () => {
    const response = given as AuthenticationResponseJSON;
    const { userHandle } = response.response;
    if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== userId) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response, expectedChallenge: isIssued, expectedOrigin: origin, expectedRPID: host },
      requireUserVerification: true,
      // Passes 0 as the counter, so that SimpleWebAuthn does not compare counters before it verifies the signature.
      // Otherwise, a forged response could make a passkey look cloned.
      credential: { id: credentialId, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

/** @throws DomainErrors of `verify`; `passkey-unknown` if `verify` throws another error or resolves to undefined */
async function orUnknown<T>(verify: () => Promise<T | undefined>): Promise<T> {
  let verified: T | undefined;
  try {
    verified = await verify();
  } catch (error) {
    if (error instanceof DomainError) throw error;
  }
  if (verified === undefined) throw new DomainError('passkey-unknown');
  return verified;
}
