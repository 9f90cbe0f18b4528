import { join } from 'node:path';
import { bin, ROOT, run } from './run.ts';

type Program = readonly [name: string, program: string, ...args: string[]];

const LINT: Program = ['lint and format', bin('biome'), 'check', '.'];
const ROOMS: Program = ['rooms', process.execPath, join(import.meta.dirname, 'rooms.ts')];
const WHOLE: readonly Program[] = [
  ['types', bin('astro'), 'check', '--minimumFailingSeverity', 'error', '--minimumSeverity', 'warning'],
  LINT,
  ROOMS,
  ['lock file', process.execPath, join(ROOT, 'scripts', 'complete-lock.mjs'), '--check'],
];

const KNOWN_TYPES = join(ROOT, 'node_modules', '.cache', 'types.tsbuildinfo');
/** `--fast` does not type-check `.astro` files, and checks others only if they or their direct imports changed. */
const FAST: readonly Program[] = [
  [
    'types of .ts and .tsx',
    bin('tsc'),
    '--types',
    'node,astro/client',
    '--incremental',
    '--assumeChangesOnlyAffectDirectDependencies',
    '--tsBuildInfoFile',
    KNOWN_TYPES,
  ],
  LINT,
  ROOMS,
];

/** Runs all checks and returns, for each, whether it passed. */
export async function runChecks({ isFast = false } = {}): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (const [name, program, ...args] of isFast ? FAST : WHOLE) {
    console.log(`\n— ${name}`);
    passed.push(await run(program, args));
  }
  return passed;
}
