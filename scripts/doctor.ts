/**
 * `npm run doctor [-- --json] [-- --fix]`: what is not as it should be, what was seen of it, and what mends it; the exit code is 1
 * when a fault is left: advice is none. `npm run doctor -- mail ADDRESS` sends a mail there.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createTransport } from 'embedded-appwrite';
import { examine } from '#operations/doctor/examine.ts';
import type { Finding } from '#operations/doctor/site.ts';
import { type Configuration, ConfigurationError, readConfiguration } from '#server/configuration.ts';
import { doctorSite } from './doctor/doctor-site.ts';

const USAGE = `Usage: npm run doctor [-- --json] [-- --fix]
       npm run doctor -- mail ADDRESS`;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false }, fix: { type: 'boolean', default: false } },
    });
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Findings of settings that cannot be used: nothing else can be looked at. */
async function findingsOf(): Promise<Finding[]> {
  try {
    return await examine(await doctorSite(readConfiguration(), process.env));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n').map((evidence) => ({
      id: 'configuration.unusable',
      sentence: 'A setting cannot be used: no server starts with it.',
      evidence,
      mend: 'Correct it; .env.example lists all settings.',
    }));
  }
}

async function sendMail({ embedded, site }: Configuration, address: string): Promise<void> {
  if (!embedded.mail) fail('No mail server is set: SMTP_HOST and MAIL_FROM.');
  const text = `This mail was sent by the doctor of ${site.name} (${site.url}). Mails of the site arrive here.`;
  const message = { subject: `${site.name}: a test`, text, html: `<p>${text.replaceAll('<', '&lt;')}</p>` };
  const outcome = await createTransport(embedded.mail).send(
    randomUUID(),
    { address },
    message,
    AbortSignal.timeout(60_000),
  );
  if (outcome.state === 'sent') console.log(`The mail server has taken a mail to ${address}. See whether it arrives.`);
  else fail(`The mail was not sent: ${outcome.reason}`);
}

function print({ id, sentence, evidence, mend, isAdvice }: Finding): void {
  const [opening, closing] = isAdvice ? ['Advice: ', 'do:  '] : ['', 'mend:'];
  console.log(`\n${opening}${sentence} (${id})\n  seen:  ${evidence}\n  ${closing}  ${mend}`);
}

/** Mends what may be; gives what is left. */
async function fixed(findings: readonly Finding[]): Promise<Finding[]> {
  const left: Finding[] = [];
  for (const finding of findings) {
    try {
      if (!finding.fix) left.push(finding);
      else console.error(`${finding.id}: ${await finding.fix()}`);
    } catch (error) {
      left.push({ ...finding, evidence: `${finding.evidence}; it could not be mended: ${(error as Error).message}` });
    }
  }
  return left;
}

const { values, positionals } = options();
if (positionals[0] === 'mail' && positionals[1] && positionals.length === 2) {
  await sendMail(readConfiguration(), positionals[1]);
  process.exit();
}
if (positionals.length > 0) fail(USAGE);
const found = await findingsOf();
const findings = values.fix ? await fixed(found) : found;
const faults = findings.filter(({ isAdvice }) => !isAdvice);
if (values.json) console.log(JSON.stringify(findings, undefined, 2));
else {
  for (const finding of [...faults, ...findings.filter(({ isAdvice }) => isAdvice)]) print(finding);
  console.log(faults.length === 0 ? 'Nothing is wrong.' : `\n${faults.length} found.`);
}
process.exit(faults.length === 0 ? 0 : 1);
