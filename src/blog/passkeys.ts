/** Passkeys (WebAuthn): the API between pages and the server, which checks challenges and signatures. */

import * as z from 'zod/mini';
import { emailField, nameField } from './forms/sign-in-forms.ts';

export const MAX_PASSKEYS = 20;
export const PASSKEY_NAME_LENGTH = 60;
/** Lifetime of a challenge, which can be used only once. */
export const CHALLENGE_MS = 5 * 60_000;

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** ISO dates; `usedAt` is absent before the first sign-in. */
  readonly createdAt: string;
  readonly usedAt?: string;
  /** The only host where the passkey works; absent if it works on this site's host. */
  readonly otherHost?: string;
  /** True if the passkey's counter once failed to increase, which suggests a copy. The passkey no longer works. */
  readonly isCloned?: true;
  /** True if the passkey was created, perhaps by a stranger, before the address was verified. It no longer works. */
  readonly isUnproven?: true;
}

export interface OwnPasskeys {
  readonly passkeys: readonly Passkey[];
  readonly hasPassword: boolean;
  /** True if the server can provide second-factor codes, so a passkey counts as both factors. */
  readonly givesCodes: boolean;
  /** True if the owners ask this user, an owner or editor, to add a passkey. */
  readonly isAsked: boolean;
}

/** WebAuthn's `PublicKeyCredential` as JSON. This schema checks only the id's length. The server checks the rest. */
const response = z.looseObject({ id: z.string().check(z.minLength(1), z.maxLength(1400)) });
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(PASSKEY_NAME_LENGTH));
const id = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/));

/** Proves that the caller is the session's user: the password, or a response from one of the user's passkeys. */
export const proofSchema = z.union([z.object({ password: z.string().check(z.minLength(1)) }), z.object({ response })]);
export type Proof = z.infer<typeof proofSchema>;

/** Body of `POST /api/passkeys/options`, which responds with WebAuthn's options as JSON. */
export const passkeyOptionsSchema = z.discriminatedUnion('for', [
  // Options for using a passkey: to sign in, to get second-factor codes or to prove the user's identity.
  z.object({ for: z.literal('use') }),
  z.object({ for: z.literal('sign-up'), name: nameField, email: emailField }),
  // Options for adding another passkey to the signed-in user's account.
  z.object({ for: z.literal('add') }),
]);
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

/** Body of `POST /api/passkeys`, for guests and for sessions that wait for their second factor. */
export const passkeyUseSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('sign-in'), response }),
  z.object({ action: z.literal('sign-up'), response, name: nameField, email: emailField }),
  z.object({ action: z.literal('code'), response }),
]);
export type PasskeyUse = z.infer<typeof passkeyUseSchema>;

/**
 * Response to `code` and `keep-key`: second-factor codes, which the browser tries in order. The list is empty if the
 * server does not have the key of the user's authenticator app.
 */
export interface PasskeyCodes {
  readonly codes: readonly string[];
}

/**
 * Response to `sign-in`, `sign-up` and `remove-password` (which ends every session). The browser completes the sign-in
 * within a minute with `account.createSession({ userId, secret })`.
 */
export interface PasskeySignIn extends PasskeyCodes {
  readonly userId: string;
  readonly secret: string;
}

/**
 * Body of `POST /api/passkeys/own`, for signed-in users. The response is `OwnPasskeys` unless stated otherwise. An
 * optional proof may be left out in the first 15 minutes of a session.
 */
export const ownPasskeysSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add'), response, name, proof: z.optional(proofSchema) }),
  z.object({ action: z.literal('rename'), id, name }),
  z.object({ action: z.literal('remove'), id, proof: z.optional(proofSchema) }),
  // Stores the key of an authenticator app, encrypted, and responds with the app's current codes.
  z.object({
    action: z.literal('keep-key'),
    key: z.string().check(z.regex(/^[A-Z2-7]{16,256}=*$/)),
    proof: proofSchema,
  }),
  z.object({ action: z.literal('change-email'), email: emailField, proof: proofSchema }),
  z.object({ action: z.literal('remove-password'), proof: z.object({ response }) }),
]);
export type OwnPasskeysAction = z.infer<typeof ownPasskeysSchema>;

/** Returns the host to which a site's passkeys are bound (the RP ID); undefined for an IP address. */
export function passkeyHostOf(siteUrl: string): string | undefined {
  const { hostname } = new URL(siteUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : hostname;
}
