/** The key that signs the newsletter's emails (RFC 6376). It is created once and kept in the data folder. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'dkim-key.pem';
const SELECTOR = 'common-ink';
const BITS = 2048;

export interface DkimKey {
  readonly domainName: string;
  readonly keySelector: string;
  readonly privateKey: string;
}

/** Returns the key for a sender's address; undefined until `makeDkimKey` has created one. */
export function dkimOf(dataDirectory: string, sender: string): DkimKey | undefined {
  const file = join(dataDirectory, FILE);
  if (!existsSync(file)) return undefined;
  return { domainName: domainOf(sender), keySelector: SELECTOR, privateKey: readFileSync(file, 'utf8') };
}

/** Returns the key, creating it on the first call. */
export function makeDkimKey(dataDirectory: string, sender: string): DkimKey {
  const file = join(dataDirectory, FILE);
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    writeFileSync(`${file}.new`, privateKey, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return dkimOf(dataDirectory, sender) as DkimKey;
}

/** Returns the name and the value of the TXT record that publishes the key (RFC 6376, 3.6.1). */
export function dkimRecord({ domainName, keySelector, privateKey }: DkimKey): { name: string; value: string } {
  const publicKey = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
  return {
    name: `${keySelector}._domainkey.${domainName}`,
    value: `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`,
  };
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
