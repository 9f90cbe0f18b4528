/**
 * `npm run attack [-- NAME …] [--build DIR] [--minutes N] [--kinds A,B]`: attacks a temporary site and prints the
 * figures; exits with 1 if one exceeds its limit. Each attack is a file in `tests/attack` that exports `attack`;
 * without a name, all run in sequence. `cost` measures one request of each kind; `siege` runs all kinds at once and
 * measures reading and writing. `--build` attacks another commit's `dist`; `--minutes` sets the length of the siege,
 * `--kinds` its attacks.
 */
import './test/without-site-settings.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Attack } from '../tests/attack/attack.ts';
import { buildIfStale, DIST } from './build-stamp.ts';

const FOLDER = join(import.meta.dirname, '..', 'tests', 'attack');
const known = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && readFileSync(join(FOLDER, file), 'utf8').includes('export const attack:'))
  .map((file) => file.slice(0, -'.ts'.length));

const { values, positionals } = parseArgs({
  options: { build: { type: 'string' }, minutes: { type: 'string', default: '1' }, kinds: { type: 'string' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const kinds = values.kinds?.split(',');
if (!(minutes > 0)) {
  console.error(`“${values.minutes}” is not a number of minutes.`);
  process.exit(1);
}
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown attack: ${unknown.join(', ')}. Name one of: ${known.join(', ')}.`);
  process.exit(1);
}
if (!values.build) buildIfStale();
const build = values.build ? resolve(values.build) : DIST;
for (const name of positionals.length > 0 ? positionals : known) {
  const { attack } = (await import(join(FOLDER, `${name}.ts`))) as { readonly attack: Attack };
  console.log(`\n${name}: ${attack.title}`);
  for (const [figure, value] of Object.entries(await attack.run({ build, minutes, ...(kinds && { kinds }) }))) {
    const most = attack.limits?.[figure] ?? Number.POSITIVE_INFINITY;
    const isOver = Number(value) > most;
    if (isOver) process.exitCode = 1;
    const limit = Number.isFinite(most) ? ` (${isOver ? 'MISSED: ' : ''}at most ${most})` : '';
    console.log(`  ${figure}: ${typeof value === 'number' ? Number(value.toPrecision(4)) : value}${limit}`);
  }
}
process.exit();
