/** `npm run bench -- <name> …`: runs a benchmark, a file in `tests/bench` that documents its arguments. */
import './test/without-site-settings.ts';
import { join } from 'node:path';

const BENCHES = join(import.meta.dirname, '..', 'tests', 'bench');
const KNOWN = [
  'backend',
  'backup',
  'editor',
  'export',
  'import',
  'lighthouse',
  'newsletter',
  'pages',
  'round-trip',
  'sync',
];

const name = process.argv[2] ?? '';
if (!KNOWN.includes(name)) {
  console.error(`Unknown benchmark “${name}”. Name one of: ${KNOWN.join(', ')}.`);
  process.exit(1);
}
// bootstrap.mjs sets this variable, but the measured processes must start without the compile cache.
delete process.env.NODE_COMPILE_CACHE;
await import(join(BENCHES, `${name}.ts`));
