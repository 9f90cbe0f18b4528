/** The mails of invitations, one file each, as the embedded backend hands them over. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { InvitationMail } from '#embedded/teams/invitation-mail.ts';
import type { Server } from './server.ts';

/** Puts a mail into the folder; called in the backend's process. */
export function leave(folder: string, mail: InvitationMail): void {
  mkdirSync(folder, { recursive: true });
  const number = String(readdirSync(folder).length).padStart(6, '0');
  writeFileSync(join(folder, `${number}.json`), JSON.stringify(mail));
}

/** The newest invitation to an address, with the parameters of its link. Skips the line where mails cannot be read. */
export function invitationTo(
  { mailbox }: Server,
  address: string,
  context: TestContext,
): InvitationMail & { url: URL; parameters: Record<string, string> } {
  if (mailbox === undefined) return context.skip('needs a mailbox that can be read');
  const mails = readdirSync(mailbox).sort();
  for (const name of mails.reverse()) {
    const mail = JSON.parse(readFileSync(join(mailbox, name), 'utf8')) as InvitationMail;
    if (mail.to.address !== address) continue;
    const url = new URL(mail.link);
    return { ...mail, url, parameters: Object.fromEntries(url.searchParams) };
  }
  throw new Error(`No mail went to ${address}.`);
}
