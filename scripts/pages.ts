/** `npm run pages -- /post/x`: why a stored page is as it is, asked of the running server. */
import { readConfiguration } from '#server/configuration.ts';

const SAME_TOKEN = 'Set the same one for the server and for this command.';

try {
  const [path, ...more] = process.argv.slice(2);
  if (!path?.startsWith('/') || more.length > 0) throw new Error('Usage: npm run pages -- /post/x');
  const { ownAddress, publishing } = readConfiguration();
  if (!publishing.rebuildToken) throw new Error(`REBUILD_TOKEN is not set. ${SAME_TOKEN}`);
  const response = await fetch(`${ownAddress}/api/pages?path=${encodeURIComponent(path)}`, {
    headers: { authorization: `Bearer ${publishing.rebuildToken}` },
  }).catch(() => undefined);
  if (!response)
    throw new Error(`No server answers at ${ownAddress}. Start it, or set PORT to the port it listens on.`);
  const report = (await response.json().catch(() => undefined)) as Readonly<Record<string, unknown>> | undefined;
  if (!report) throw new Error(`What answers at ${ownAddress} is not this site. Set PORT to the site's port.`);
  if (response.status === 401) throw new Error(`The server has another REBUILD_TOKEN than this command. ${SAME_TOKEN}`);
  if (response.status === 403) throw new Error(`The server has no REBUILD_TOKEN. ${SAME_TOKEN}`);
  if (!response.ok) throw new Error(String(report.error));
  for (const [name, value] of Object.entries(report)) console.log(line(name, value));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function line(name: string, value: unknown): string {
  if (Array.isArray(value)) return [`${name}:`, ...value.map((item) => `  ${item}`)].join('\n');
  if (typeof value !== 'object' || value === null) return `${name}: ${value}`;
  const parts = Object.entries(value).map(([part, amount]) => `${part} ${amount}`);
  return `${name}: ${parts.join(', ')}`;
}
