/** Passkeys (WebAuthn): what pages and the server tell each other. Challenges and signatures are checked by the server. */

import * as z from 'zod/mini';
import { emailField, nameField } from './forms/sign-in-forms.ts';

export const MAX_PASSKEYS = 20;
export const PASSKEY_NAME_LENGTH = 60;
/** Milliseconds for which a challenge can be answered, once. */
export const CHALLENGE_MS = 5 * 60_000;

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** ISO dates; `usedAt` is absent before the first sign-in. */
  readonly createdAt: string;
  readonly usedAt?: string;
  /** Host of another site address, where alone it works; absent if it works here. */
  readonly otherHost?: string;
  /** True if its counter went back, as after copying; it can then only be removed. */
  readonly isCloned?: true;
  /** True if it was made before the address was verified, so that it may be a stranger's; it can then only be removed. */
  readonly isUnproven?: true;
}

export interface OwnPasskeys {
  readonly passkeys: readonly Passkey[];
  readonly hasPassword: boolean;
  /** True if the server can give out codes of the second factor, so that a passkey counts as both factors. */
  readonly givesCodes: boolean;
  /** True if the owners ask this user, an owner or editor, to have a passkey. */
  readonly isAsked: boolean;
}

/** WebAuthn's `PublicKeyCredential` as JSON. The server checks it whole, so that only its size matters here. */
const response = z.looseObject({ id: z.string().check(z.minLength(1), z.maxLength(1400)) });
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(PASSKEY_NAME_LENGTH));
const id = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/));

/** Proves that the caller is the session's user: the password, or an answer by one of the user's passkeys. */
export const proofSchema = z.union([z.object({ password: z.string().check(z.minLength(1)) }), z.object({ response })]);
export type Proof = z.infer<typeof proofSchema>;

/** `POST /api/passkeys/options`, answered with WebAuthn's options as JSON. */
export const passkeyOptionsSchema = z.discriminatedUnion('for', [
  // A sign-in, a code of the second factor, or a proof.
  z.object({ for: z.literal('use') }),
  z.object({ for: z.literal('sign-up'), name: nameField, email: emailField }),
  // Another passkey for the session's user.
  z.object({ for: z.literal('add') }),
]);
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

/** `POST /api/passkeys`, for guests and for sessions that wait for their second factor. */
export const passkeyUseSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('sign-in'), response }),
  z.object({ action: z.literal('sign-up'), response, name: nameField, email: emailField }),
  z.object({ action: z.literal('code'), response }),
]);
export type PasskeyUse = z.infer<typeof passkeyUseSchema>;

/** Answers `code` and `keep-key`: codes of the second factor, to be tried in this order; none without the user's key. */
export interface PasskeyCodes {
  readonly codes: readonly string[];
}

/**
 * Answers `sign-in`, `sign-up` and `remove-password`, which ends every session. It is finished within a minute, with
 * `account.createSession({ userId, secret })`.
 */
export interface PasskeySignIn extends PasskeyCodes {
  readonly userId: string;
  readonly secret: string;
}

/**
 * `POST /api/passkeys/own`, for signed-in users, answered with `OwnPasskeys` unless stated otherwise. An optional proof
 * may be left out in the first 15 minutes of a session.
 */
export const ownPasskeysSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add'), response, name, proof: z.optional(proofSchema) }),
  z.object({ action: z.literal('rename'), id, name }),
  z.object({ action: z.literal('remove'), id, proof: z.optional(proofSchema) }),
  // Keeps the key of an authenticator app, sealed, and answers with its codes.
  z.object({
    action: z.literal('keep-key'),
    key: z.string().check(z.regex(/^[A-Z2-7]{16,256}=*$/)),
    proof: proofSchema,
  }),
  z.object({ action: z.literal('change-email'), email: emailField, proof: proofSchema }),
  z.object({ action: z.literal('remove-password'), proof: z.object({ response }) }),
]);
export type OwnPasskeysAction = z.infer<typeof ownPasskeysSchema>;

/** Returns the host for which a site's passkeys are made (the RP id); undefined for an IP address, which has none. */
export function passkeyHostOf(siteUrl: string): string | undefined {
  const { hostname } = new URL(siteUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : hostname;
}
