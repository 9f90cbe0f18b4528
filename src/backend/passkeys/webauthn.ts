/** Checks what browsers send for WebAuthn (https://www.w3.org/TR/webauthn-3/), with SimpleWebAuthn. */

import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG, decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { DomainError } from '#blog/errors.ts';
import { CHALLENGE_MS } from '#blog/passkeys.ts';
import type { StoredPasskey } from './stored-passkeys.ts';

/** The same on every Node, because a passkey made on one instance must work on the others. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];
/** The defined transports have up to 10 characters, and an authenticator has few of them. */
const MAX_TRANSPORTS = 8;

export type Credential = Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

export interface RelyingParty {
  /** The site's origin, and its host as the RP id. */
  readonly origin: string;
  readonly host: string;
}

export interface NewUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Called with a response's challenge. Returns false for one that was not issued for it. */
type IsIssued = (challenge: string) => boolean;

export const requestOptions = (
  { host }: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  generateAuthenticationOptions({ rpID: host, challenge, timeout: CHALLENGE_MS, userVerification: 'required' });

/** @param known the user's passkeys, whose authenticators then make no second one */
export const creationOptions = (
  { host }: RelyingParty,
  siteName: string,
  user: NewUser,
  challenge: Uint8Array<ArrayBuffer>,
  known: readonly StoredPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
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

/** @throws DomainError `passkey-unknown`, or what `isIssued` throws */
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
    // A certificate, which the options do not ask for, can make SimpleWebAuthn fetch any address.
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

/** Returns the counter of a signed answer. @throws DomainError `passkey-unknown`, or what `isIssued` throws */
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
      // SimpleWebAuthn compares counters before the signature, so that a stranger could make a passkey look cloned.
      credential: {
        id: credentialId,
        publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
        counter: 0,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

/** Treats any error in a response as an unknown passkey. */
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
