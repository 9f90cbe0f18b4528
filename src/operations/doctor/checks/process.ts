/** Which process answers, and which has the data. */
import type { Check, Finding } from '../site.ts';

export const ownProcess: Check = {
  name: 'process',
  async run({ settings: { ownAddress, dataDirectory, siteUrl }, tools, isRunning }): Promise<readonly Finding[]> {
    const holder = tools.holder();
    const pid = holder === undefined || holder === 'unknown' ? undefined : holder.pid;
    const who = holder === undefined || holder === 'unknown' ? 'another process' : `pid ${pid} on ${holder.host}`;
    if (isRunning) {
      const response = await fetch(`${ownAddress}/readyz`, { signal: AbortSignal.timeout(10_000) });
      if (response.ok) return [];
      return [
        {
          id: 'process.not-ready',
          sentence: 'The server runs, and is not ready to serve.',
          evidence: `${ownAddress}/readyz: ${(await response.text()).trim()}`,
          mend: 'See what else is found, and the server’s log.',
        },
      ];
    }
    const other = await tools.siteAt(ownAddress).catch((error: Error) => error);
    if (typeof other === 'string' && holder !== undefined) {
      return [
        {
          id: 'process.other-settings',
          sentence: 'The server that has the data runs with other settings than this command.',
          evidence: `${who} has ${dataDirectory}; what answers at ${ownAddress} is the site ${other}${other === siteUrl ? ', with another server key' : ''}`,
          mend: `Set PORT, or ${other === siteUrl ? 'DATA_DIR and APPWRITE_API_KEY' : 'SITE_URL'}, for this command as for the server.`,
        },
      ];
    }
    if (other !== undefined) {
      return [
        {
          id: 'process.port-taken',
          sentence: 'Another program, or another site, answers at this site’s port.',
          evidence: other instanceof Error ? other.message : `${ownAddress} is the site ${other}`,
          mend: `Stop that one, or set PORT to a free one: ss -ltnp | grep :${new URL(ownAddress).port}`,
        },
      ];
    }
    if (holder !== undefined) {
      return [
        {
          id: 'process.other-port',
          sentence: 'A process has the data, and does not answer at this site’s port.',
          evidence: `${who} has ${dataDirectory}; nothing answers at ${ownAddress}`,
          mend: `Set PORT as for the server, or end that process${pid ? `: kill ${pid}` : ''}.`,
        },
      ];
    }
    return [
      {
        id: 'process.none',
        sentence: 'No server runs.',
        evidence: `nothing answers at ${ownAddress}, and nobody has ${dataDirectory}`,
        mend: 'npm start, or systemctl start common-ink',
      },
    ];
  },
};
