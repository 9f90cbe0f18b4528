/** Runs the checks, one after the other: what one of them cannot find out keeps no other from it. */
import { backend } from './checks/backend.ts';
import { backups } from './checks/backups.ts';
import { build } from './checks/build.ts';
import { clock } from './checks/clock.ts';
import { configuration } from './checks/configuration.ts';
import { data } from './checks/data.ts';
import { disk } from './checks/disk.ts';
import { dns } from './checks/dns.ts';
import { mail } from './checks/mail.ts';
import { pictures } from './checks/pictures.ts';
import { ownProcess } from './checks/process.ts';
import { proxy } from './checks/proxy.ts';
import { storedPages } from './checks/stored-pages.ts';
import { tls } from './checks/tls.ts';
import type { Check, DoctorSite, Finding } from './site.ts';

export const CHECKS: readonly Check[] = [
  configuration,
  disk,
  ownProcess,
  build,
  data,
  backend,
  storedPages,
  pictures,
  backups,
  mail,
  dns,
  tls,
  proxy,
  clock,
];

/** Everything that is not as it should be; none: the site is sound. Never throws. */
export async function examine(site: DoctorSite): Promise<Finding[]> {
  const findings: Finding[] = [];
  const isFound = (prefix: string) => findings.some(({ id }) => id.startsWith(prefix));
  for (const { name, needsServer, needsBackend, run } of CHECKS) {
    if ((needsServer && !site.isRunning) || (needsBackend && isFound('backend.'))) continue;
    // Whatever else were found would follow from that.
    if (isFound('disk.not-writable')) break;
    try {
      findings.push(...(await run(site)));
    } catch (error) {
      findings.push({
        id: `${name}.failed`,
        sentence: `The check of ${name} could not be made.`,
        evidence: error instanceof Error ? error.message : `${error}`,
        mend: 'Mend what is found beside this, then run the doctor again.',
      });
    }
  }
  return findings;
}
