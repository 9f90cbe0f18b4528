/** A software authenticator with one P-256 key. It answers as browsers do (WebAuthn, sections 6.5 and 5.8.1). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const [USER_PRESENT, USER_VERIFIED, ATTESTED] = [1, 4, 64];

export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  /** The signature counter. By default, each sign-in increases it by one. */
  readonly counter?: number;
  readonly challenge?: string;
  readonly userHandle?: string;
  /** The attestation statement of a registration, with its format. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Cbor };
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

export type Authenticator = ReturnType<typeof authenticator>;

/** @param origin origin of the page that requests a passkey */
export function authenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle = '';

  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  function authenticatorData(rpId: string, flags: number, signs: number, attested = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(signs, 1);
    return Buffer.concat([sha256(rpId), head, attested]);
  }

  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    /** Answers creation options, as `navigator.credentials.create` does. */
    create({ challenge, rp, user }: Options, deviations: Deviations = {}) {
      const { origin: from, rpId = rp?.id ?? '', isVerified = true, attestation } = deviations;
      userHandle = user?.id ?? '';
      const jwk = publicKey.export({ format: 'jwk' });
      const [x, y] = [jwk.x, jwk.y].map((part) => Buffer.from(part ?? '', 'base64url'));
      // A COSE key: EC2, ES256, P-256.
      const parts: [number, Cbor][] = [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, x as Buffer],
        [-3, y as Buffer],
      ];
      const key = cbor(new Map(parts));
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const flags = USER_PRESENT | ATTESTED | (isVerified ? USER_VERIFIED : 0);
      const authData = authenticatorData(rpId, flags, deviations.counter ?? counter, attested);
      const { fmt, attStmt } = attestation ?? { fmt: 'none', attStmt: new Map() };
      const entries: [string, Cbor][] = [
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ];
      return credential({
        clientDataJSON: clientData('webauthn.create', deviations.challenge ?? challenge, from).toString('base64url'),
        attestationObject: cbor(new Map(entries)).toString('base64url'),
        transports: ['internal'],
      });
    },

    /** Answers request options, as `navigator.credentials.get` does. */
    get({ challenge, rpId = '' }: Options, deviations: Deviations = {}) {
      counter = deviations.counter ?? counter + 1;
      const flags = USER_PRESENT | (deviations.isVerified === false ? 0 : USER_VERIFIED);
      const authData = authenticatorData(deviations.rpId ?? rpId, flags, counter);
      const data = clientData('webauthn.get', deviations.challenge ?? challenge, deviations.origin);
      return credential({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey).toString('base64url'),
        userHandle: deviations.userHandle ?? userHandle,
      });
    },
  };
}

export type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

/** Encodes a value as CBOR (RFC 8949), as far as attestations need it. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const entries = [...(value as ReadonlyMap<number | string, Cbor>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
