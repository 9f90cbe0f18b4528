/** No single request costs so much that others notice: each route, each caller, each field at its limit. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIsStale, DIST } from '../../scripts/build-stamp.ts';
import { backendRoutes, backendRows, missingArguments } from '../attack/cost/backend-rows.ts';
import { costWithin, excess } from '../attack/cost/limits.ts';
import { type MeasuredSite, measuredSite } from '../attack/cost/measured-site.ts';
import { missingPages, pageFiles, pageRows } from '../attack/cost/page-rows.ts';
import { nameOf, type Row } from '../attack/cost/row.ts';
import { settings } from './settings.ts';

/** A row that is over a limit this often is. */
const TRIES = 6;
let site: MeasuredSite;
beforeAll(async () => {
  const build = join(import.meta.dirname, '..', '..', 'scripts', 'build.ts');
  if (buildIsStale()) execFileSync(process.execPath, [build], { stdio: 'inherit' });
  site = await measuredSite(DIST);
}, 300_000);
afterAll(() => site?.remove());

test('a route with a parameter that nobody thought of is found', async () => {
  const [route] = await backendRoutes();
  if (!route) throw new Error('There is no route.');
  const fresh = {
    ...route,
    path: '/fresh',
    params: { ...route.params, unheardOf: { required: false, fallback: '', read: String } },
  };
  expect(missingArguments([fresh], () => true)).toEqual([`${route.method} /fresh: unheardOf`]);
});

test('a page that nobody thought of is found', () => {
  expect(pageFiles()).toContain('index.astro');
  expect(missingPages([...pageFiles(), 'fresh.astro'])).toEqual(['fresh.astro']);
});

test('no request of a guest takes more than 50 ms of the thread, none of a user more than 250, none more than 32 MiB', async () => {
  const isMeasured = (row: Row) => !row.repeats && row.caller !== 'key';
  const rows = [...pageRows(site), ...(await backendRows(site))].filter(isMeasured);
  const faults: string[] = [];
  for (const row of rows) {
    const over = excess(await costWithin(site.meter, row, TRIES));
    if (over.length > 0) faults.push(`${nameOf(row)}: ${over.join(', ')}`);
  }
  if (settings.verbose) console.log(`${rows.length} requests were measured.`);
  expect(rows.length).toBeGreaterThan(400);
  expect(faults).toEqual([]);
}, 300_000);
