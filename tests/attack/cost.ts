/** Measures every route as every caller with every field at its limit, on a site of a few hundred posts. */
import { table } from '../bench/figures.ts';
import type { Attack } from './attack.ts';
import { backendRows } from './cost/backend-rows.ts';
import { excess, isServersFault, type Measured, measured } from './cost/limits.ts';
import { measuredSite } from './cost/measured-site.ts';
import { pageRows } from './cost/page-rows.ts';
import { nameOf } from './cost/row.ts';

const SHOWN = 80;

const shown = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

function costTable(all: readonly Measured[]): string {
  const rows = all.map(({ row, cost }) => [
    row.route.length > 76 ? `${row.route.slice(0, 75)}…` : row.route,
    row.caller,
    row.what,
    String(cost.status),
    ...[cost.thread, cost.held, cost.process, cost.bytes / 1024, cost.grown / 1024 / 1024].map(shown),
  ]);
  const costs = ['thread ms', 'held ms', 'all threads ms', 'KiB', 'grown MiB'];
  const heading = ['route', 'caller', 'at its limit', 'answer', ...costs];
  return table([heading, ...rows]);
}

export const attack: Attack = {
  title: 'one request of each kind with each field at its limit, and what it costs the server',
  limits: { 'answers that are the server’s fault': 0, 'rows over a limit': 0 },
  async run({ build }) {
    const site = await measuredSite(build);
    const all: Measured[] = [];
    try {
      for (const row of [...pageRows(site), ...(await backendRows(site))]) {
        all.push(await measured(site.meter, row));
        await site.deleteFreshPosts();
      }
    } finally {
      await site.remove();
    }
    all.sort((a, b) => b.cost.thread - a.cost.thread);
    console.log(costTable(all.slice(0, SHOWN)));
    const byMemory = all.toSorted((a, b) => b.cost.grown - a.cost.grown);
    console.log(`\nBy memory:\n${costTable(byMemory.slice(0, SHOWN / 4))}`);
    const serversFaults = all.filter(isServersFault);
    for (const { row, cost } of serversFaults) console.log(`The server's fault: ${nameOf(row)}: ${cost.status}`);
    const over = all.filter((each) => excess(each).length > 0);
    for (const each of over) console.log(`Over a limit: ${nameOf(each.row)}: ${excess(each).join(', ')}`);
    const dearest = (caller: string) => all.find(({ row }) => row.caller === caller)?.cost.thread ?? 0;
    return {
      rows: all.length,
      'dearest request of a guest, ms of the thread': dearest('guest'),
      'dearest request of a user, ms of the thread': dearest('user'),
      'most memory for one request, MiB': (byMemory[0]?.cost.grown ?? 0) / 1024 / 1024,
      'answers that are the server’s fault': serversFaults.length,
      'rows over a limit': over.length,
    };
  },
};
