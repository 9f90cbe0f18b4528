/** The mails of invitations and codes, one file each, as the embedded backend hands them over. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { CodeMail } from '#embedded/mfa/service.ts';
import type { InvitationMail } from '#embedded/teams/invitation-mail.ts';
import type { Server } from './server.ts';

/** Puts a mail into the folder; called in the backend's process. */
export function leave(folder: string, mail: InvitationMail | CodeMail): void {
  mkdirSync(folder, { recursive: true });
  const number = String(readdirSync(folder).length).padStart(6, '0');
  writeFileSync(join(folder, `${number}.json`), JSON.stringify(mail));
}

/** The newest mail to an address. Skips the line where mails cannot be read. */
function newestTo<Mail extends InvitationMail | CodeMail>(
  { mailbox }: Server,
  address: string,
  context: TestContext,
): Mail {
  if (mailbox === undefined) return context.skip('needs a mailbox that can be read');
  for (const name of readdirSync(mailbox).sort().reverse()) {
    const mail = JSON.parse(readFileSync(join(mailbox, name), 'utf8')) as Mail;
    if (mail.to.address === address) return mail;
  }
  throw new Error(`No mail went to ${address}.`);
}

/** The newest invitation to an address, with the parameters of its link. */
export function invitationTo(
  server: Server,
  address: string,
  context: TestContext,
): { url: URL; parameters: Record<string, string> } {
  const url = new URL(newestTo<InvitationMail>(server, address, context).link);
  return { url, parameters: Object.fromEntries(url.searchParams) };
}

/** The code of the newest mail to an address. */
export function codeTo(server: Server, address: string, context: TestContext): string {
  return newestTo<CodeMail>(server, address, context).code;
}
