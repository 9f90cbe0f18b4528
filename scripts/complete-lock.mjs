// Completes package-lock.json: npm leaves out optional packages of other platforms that its registry mirror does not
// carry, and `npm ci` then rejects the lock ("Missing: … from lock file"). Adds the entry that npm would have written
// for each such package, without an integrity hash, so that the lock installs on every platform and behind every
// mirror. Run after each `npm install`; `--check` changes nothing and exits with 1 if the lock is incomplete.
import { readFileSync, writeFileSync } from 'node:fs';

function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = words.find((word) => ['android', 'darwin', 'freebsd', 'linux', 'win32'].includes(word));
  const cpu = words.find((word) => ['arm', 'arm64', 'ia32', 'x64', 'wasm32'].includes(word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : '';
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const entry of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (Object.keys(lock.packages).some((key) => key.endsWith(path))) continue;
    lock.packages[path] = {
      version: range.replace(/^[^\d]*/, ''),
      ...platformOf(name),
      license: 'MIT',
      optional: true,
    };
    added.push(`${name}@${range}`);
  }
}
if (added.length === 0) {
  console.log('package-lock.json is complete.');
} else if (process.argv.includes('--check')) {
  console.error(`package-lock.json is missing ${added.join(', ')}. Run: node scripts/complete-lock.mjs`);
  process.exit(1);
} else {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`Added ${added.length}: ${added.join(', ')}`);
}
