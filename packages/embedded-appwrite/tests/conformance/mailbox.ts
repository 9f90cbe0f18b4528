/** Reads the emails of the server under test from a folder with one file per email. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { inject } from 'vitest';
import { linkOf } from '../support/mail-link.ts';
import { pause } from './cleanup.ts';

export { linkOf };

const PATIENCE_MS = 120_000;
const known = new Map<string, Email>();
const given = new Set<string>();

async function unread(address: string): Promise<Email | undefined> {
  const folder = inject('mail')?.folder ?? '';
  for (const name of (await readdir(folder)).sort()) {
    if (given.has(name) || name.endsWith('.part')) continue;
    const mail = known.get(name) ?? (await PostalMime.parse(await readFile(join(folder, name))));
    known.set(name, mail);
    if (!mail.to?.some((to) => to.address?.toLowerCase() === address.toLowerCase())) continue;
    given.add(name);
    return mail;
  }
  return undefined;
}

export async function mailTo(address: string): Promise<Email> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 20) {
    const mail = await unread(address);
    if (mail) return mail;
    await pause(20);
  }
  throw new Error(`No mail to ${address} came in ${PATIENCE_MS / 1000} seconds.`);
}

export async function noMailTo(address: string): Promise<void> {
  await pause(400);
  if (await unread(address)) throw new Error(`A mail came to ${address} that should not.`);
}

/** Returns the six-digit code that stands alone on a line of the email's text. */
export function codeOf({ text = '' }: Email): string {
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1];
  if (code === undefined) throw new Error(`The mail has no code: ${text.slice(0, 400)}`);
  return code;
}

export function parameter(link: URL, name: string): string {
  const value = link.searchParams.get(name);
  if (value === null) throw new Error(`${link.pathname} has no ${name}: ${[...link.searchParams.keys()]}`);
  return value;
}

/** Returns the user id and secret from the link in the next email to `address`. */
export async function proofTo(address: string): Promise<{ userId: string; secret: string }> {
  const link = linkOf(await mailTo(address));
  return { userId: parameter(link, 'userId'), secret: parameter(link, 'secret') };
}
