/** `npm run pages -- /post/x`: asks the running server for the state of a stored page. */
import { OperatorError } from '#blog/errors.ts';
import { readConfiguration } from '#server/configuration.ts';
import { readArguments, runCommand } from './command.ts';

const USAGE = 'Usage: npm run pages -- /post/x';
const SAME_TOKEN = 'Set the same token for the server and for this command.';

await runCommand(async () => {
  const [path] = readArguments(USAGE, {}, 1).positionals;
  if (!path?.startsWith('/')) throw new OperatorError(USAGE);
  const { ownAddress, publishing } = readConfiguration();
  if (!publishing.rebuildToken) throw new OperatorError(`REBUILD_TOKEN is not set. ${SAME_TOKEN}`);
  const response = await fetch(`${ownAddress}/api/pages?path=${encodeURIComponent(path)}`, {
    headers: { authorization: `Bearer ${publishing.rebuildToken}` },
  }).catch(() => undefined);
  if (!response)
    throw new OperatorError(`No server answers at ${ownAddress}. Start it, or set PORT to the port it listens on.`);
  const report = (await response.json().catch(() => undefined)) as Readonly<Record<string, unknown>> | undefined;
  if (!report) throw new OperatorError(`The program at ${ownAddress} is not this site. Set PORT to the site's port.`);
  if (response.status === 401)
    throw new OperatorError(`The server has a different REBUILD_TOKEN than this command. ${SAME_TOKEN}`);
  if (response.status === 403) throw new OperatorError(`The server has no REBUILD_TOKEN. ${SAME_TOKEN}`);
  if (!response.ok) throw new OperatorError(String(report.error));
  for (const [name, value] of Object.entries(report)) console.log(line(name, value));
});

function line(name: string, value: unknown): string {
  if (Array.isArray(value)) return [`${name}:`, ...value.map((item) => `  ${item}`)].join('\n');
  if (typeof value !== 'object' || value === null) return `${name}: ${value}`;
  const parts = Object.entries(value).map(([part, amount]) => `${part} ${amount}`);
  return `${name}: ${parts.join(', ')}`;
}
