/** Whether the machine knows what time it is: sessions, signatures and backups go by it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Check, Finding } from '../site.ts';

/** Milliseconds: what messages between instances allow. */
const MOST = 300_000;

export const clock: Check = {
  name: 'clock',
  async run({ settings: { dataDirectory, appwrite }, now }) {
    const findings: Finding[] = [];
    const findingOf = (evidence: string): Finding => ({
      id: 'clock.wrong',
      sentence: 'This machine’s clock is wrong.',
      evidence,
      mend: 'timedatectl set-ntp true',
    });
    const database = join(dataDirectory, 'backend', 'backend.sqlite');
    const written = statSync(database, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (written > now + MOST) {
      const ahead = Math.round((written - now) / 60_000);
      findings.push(findingOf(`the data were written ${ahead} minutes from now (${new Date(written).toISOString()})`));
    }
    if (appwrite.endpoint) {
      const answer = await fetch(`${appwrite.endpoint}/health/version`, { signal: AbortSignal.timeout(5000) }).catch(
        () => undefined,
      );
      const there = Date.parse(answer?.headers.get('date') ?? '');
      if (Math.abs(there - now) > MOST)
        findings.push(findingOf(`it is ${new Date(there).toISOString()} at ${appwrite.endpoint}`));
    }
    return findings;
  },
};
