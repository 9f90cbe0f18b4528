/**
 * `npm run doctor [-- --json] [-- --fix] [-- --updates]`: prints each fault with its evidence and its fix. Exits with 1
 * if a fault remains, not counting advice. Only with `--updates` does it also look for a newer release.
 * `npm run doctor -- mail` looks up the sender's DNS records and creates the key that
 * signs the newsletter; `npm run doctor -- mail ADDRESS` sends a test mail.
 */
import { randomUUID } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { createTransport } from 'embedded-appwrite';
import { OperatorError } from '#blog/errors.ts';
import { examine } from '#operations/doctor/examine.ts';
import { lookUpMail } from '#operations/doctor/mail-records.ts';
import type { Finding } from '#operations/doctor/site.ts';
import { chooseVersion } from '#operations/upgrade/versions.ts';
import { type Configuration, readConfiguration } from '#server/configuration.ts';
import { dkimRecord, domainOf, makeDkimKey } from '#server/newsletter/dkim.ts';
import { FLAG, readArguments, runCommand } from './command.ts';
import { doctorSite } from './doctor/doctor-site.ts';
import { availableVersions, INSTALLED } from './upgrade/available.ts';

const USAGE = `Usage: npm run doctor [-- --json] [-- --fix] [-- --updates]
       npm run doctor -- mail [ADDRESS]`;

/** Returns all findings. If settings are invalid, returns only their errors, because no other check can run. */
async function findingsOf(): Promise<Finding[]> {
  let configuration: Configuration;
  try {
    configuration = readConfiguration();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message.split('\n').map((evidence) => ({
      id: 'configuration.unusable',
      sentence: 'A setting is invalid, so the server will not start.',
      evidence,
      mend: 'Correct it; .env.example lists all settings.',
    }));
  }
  return examine(await doctorSite(configuration, process.env));
}

/** Returns advice about a newer release or a failed look-up; undefined if the newest release is installed. */
function newerRelease(): Finding | undefined {
  const advice = { isAdvice: true, mend: 'npm run upgrade' } as const;
  try {
    const { version, nextMajor } = chooseVersion(availableVersions(), INSTALLED, false);
    const newer = version ?? nextMajor;
    const evidence = `${INSTALLED} is installed`;
    return newer ? { ...advice, id: 'release.newer', sentence: `Version ${newer} is available.`, evidence } : undefined;
  } catch (error) {
    const sentence = 'Could not look up newer releases.';
    const mend = 'Check the network, then run this again.';
    return { ...advice, id: 'release.unknown', sentence, evidence: (error as Error).message, mend };
  }
}

type MailSettings = NonNullable<Configuration['embedded']['mail']>;

async function sendMail(mail: MailSettings, { site }: Configuration, address: string): Promise<void> {
  const text = `This is a test mail from ${site.name} (${site.url}). If you can read it, the site can send mail.`;
  const message = { subject: `${site.name}: a test`, text, html: `<p>${text.replaceAll('<', '&lt;')}</p>` };
  const signal = AbortSignal.timeout(60_000);
  const outcome = await createTransport(mail).send(randomUUID(), { address }, message, signal);
  if (outcome.state !== 'sent') throw new OperatorError(`The mail was not sent: ${outcome.reason}`);
  console.log(`The mail server accepted a mail to ${address}. Check that it arrives.`);
}

/** Prints the state of each DNS record, and creates a missing DKIM key. Returns 1 if a record is missing or wrong. */
async function lookUpSender({ host, from: { address } }: MailSettings, dataDirectory: string): Promise<number> {
  const dkim = dkimRecord(makeDkimKey(dataDirectory, address));
  const sender = { domain: domainOf(address), host, dkim };
  const records = await lookUpMail(new Resolver({ timeout: 5000, tries: 2 }), sender);
  for (const { name, isRight, sentence } of records) console.log(`${isRight ? 'ok ' : 'fix'}  ${name}: ${sentence}`);
  return records.every(({ isRight }) => isRight) ? 0 : 1;
}

function print({ id, sentence, evidence, mend, isAdvice }: Finding): void {
  const [opening, closing] = isAdvice ? ['Advice: ', 'do: '] : ['', 'fix:'];
  console.log(`\n${opening}${sentence} (${id})\n  seen: ${evidence}\n  ${closing}  ${mend}`);
}

async function fixed(findings: readonly Finding[]): Promise<Finding[]> {
  const left: Finding[] = [];
  for (const finding of findings) {
    try {
      if (!finding.fix) left.push(finding);
      else console.error(`${finding.id}: ${await finding.fix()}`);
    } catch (error) {
      left.push({ ...finding, evidence: `${finding.evidence}; it could not be fixed: ${(error as Error).message}` });
    }
  }
  return left;
}

await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { json: FLAG, fix: FLAG, updates: FLAG }, 2);
  const [command, address] = positionals;
  if (command === 'mail') {
    const configuration = readConfiguration();
    const { mail } = configuration.embedded;
    if (!mail) throw new OperatorError('There is no mail server. Set SMTP_HOST and MAIL_FROM.');
    if (!address) return lookUpSender(mail, configuration.dataDirectory);
    await sendMail(mail, configuration, address);
    return 0;
  }
  if (command) throw new OperatorError(USAGE);
  const found = await findingsOf();
  const newer = values.updates ? newerRelease() : undefined;
  if (newer) found.push(newer);
  const findings = values.fix ? await fixed(found) : found;
  const faults = findings.filter(({ isAdvice }) => !isAdvice);
  if (values.json) console.log(JSON.stringify(findings, undefined, 2));
  else {
    for (const finding of [...faults, ...findings.filter(({ isAdvice }) => isAdvice)]) print(finding);
    const problems = faults.length === 1 ? '1 problem' : `${faults.length} problems`;
    console.log(faults.length === 0 ? 'No problems found.' : `\n${problems} found.`);
  }
  return faults.length === 0 ? 0 : 1;
});
process.exit();
