/** `npm run pages -- /post/x`: why a stored page is as it is, asked of the running server. */
import { readConfiguration } from '#server/configuration.ts';

try {
  const [path, ...more] = process.argv.slice(2);
  if (!path?.startsWith('/') || more.length > 0) throw new Error('Usage: npm run pages -- /post/x');
  const { ownAddress, publishing } = readConfiguration();
  if (!publishing.rebuildToken) {
    throw new Error('REBUILD_TOKEN is not set. Set the same one for the server and for this command.');
  }
  const response = await fetch(`${ownAddress}/api/pages?path=${encodeURIComponent(path)}`, {
    headers: { authorization: `Bearer ${publishing.rebuildToken}` },
  }).catch(() => undefined);
  if (!response)
    throw new Error(`No server answers at ${ownAddress}. Start it, or set PORT to the port it listens on.`);
  const report = (await response.json()) as Readonly<Record<string, unknown>>;
  if (!response.ok) throw new Error(String(report.error));
  for (const [name, value] of Object.entries(report)) {
    const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (Array.isArray(value)) console.log([`${name}:`, ...value.map((line) => `  ${line}`)].join('\n'));
    else console.log(`${name}: ${shown}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
