/** Runs the doctor's checks in sequence. A failing check does not stop the others. */
import { dns, mail, proxy, tls } from './checks/address.ts';
import { backend, passkeys, pictures, settings, storedPages } from './checks/content.ts';
import { backups, data } from './checks/data.ts';
import { build, clock, disk, ownProcess } from './checks/machine.ts';
import { configuration } from './checks/settings.ts';
import type { Check, DoctorSite, Finding } from './site.ts';

export const CHECKS: readonly Check[] = [
  ...[configuration, disk, ownProcess, build, data],
  ...[backend, settings, passkeys, storedPages, pictures, backups],
  ...[mail, dns, tls, proxy, clock],
];

export async function examine(site: DoctorSite): Promise<Finding[]> {
  const findings: Finding[] = [];
  const isFound = (prefix: string) => findings.some(({ id }) => id.startsWith(prefix));
  for (const { name, needsServer, needsBackend, run } of CHECKS) {
    if ((needsServer && !site.isRunning) || (needsBackend && isFound('backend.'))) continue;
    // If the disk is not writable, skips the remaining checks, because they would also fail.
    if (isFound('disk.not-writable')) break;
    try {
      for await (const finding of run(site)) findings.push(finding);
    } catch (error) {
      findings.push({
        id: `${name}.failed`,
        sentence: `The check “${name}” could not run.`,
        evidence: error instanceof Error ? error.message : `${error}`,
        mend: 'Fix the other problems, then run the doctor again.',
      });
    }
  }
  return findings;
}
