/** What one request can cost: every route, every caller, every field at its limit, on a site of a few hundred posts. */
import { table } from '../bench/figures.ts';
import type { Attack } from './attack.ts';
import { backendRows } from './cost/backend-rows.ts';
import { leastOf, type Measured } from './cost/limits.ts';
import { measuredSite } from './cost/measured-site.ts';
import { pageRows } from './cost/page-rows.ts';

/** Tries of each row, of which the least counts. */
const TRIES = 3;
/** Rows that are shown. */
const SHOWN = 80;

const shown = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

export function costTable(measured: readonly Measured[]): string {
  const rows = measured.map(({ row, cost }) => [
    row.route.length > 76 ? `${row.route.slice(0, 75)}…` : row.route,
    row.caller,
    row.what,
    String(cost.status),
    ...[cost.thread, cost.held, cost.process, cost.bytes / 1024, cost.grown / 1024 / 1024].map(shown),
  ]);
  const heading = [
    'route',
    'caller',
    'at its limit',
    'answer',
    'thread ms',
    'held ms',
    'all threads ms',
    'KiB',
    'grown MiB',
  ];
  return table([heading, ...rows]);
}

export const attack: Attack = {
  title: 'one request of each kind with each field at its limit, and what it costs the server',
  async run({ build }) {
    const site = await measuredSite(build);
    const measured: Measured[] = [];
    try {
      const rows = [...pageRows(site), ...(await backendRows(site))];
      for (const row of rows) measured.push({ row, cost: await leastOf(site.meter, row, TRIES) });
    } finally {
      await site.remove();
    }
    measured.sort((a, b) => b.cost.thread - a.cost.thread);
    console.log(costTable(measured.slice(0, SHOWN)));
    const byMemory = measured.toSorted((a, b) => b.cost.grown - a.cost.grown);
    console.log(`\nBy memory:\n${costTable(byMemory.slice(0, SHOWN / 4))}`);
    const dearest = (caller: string) => measured.find(({ row }) => row.caller === caller)?.cost.thread ?? 0;
    return {
      rows: measured.length,
      'dearest request of a guest, ms of the thread': dearest('guest'),
      'dearest request of a user, ms of the thread': dearest('user'),
      'most memory for one request, MiB': (byMemory[0]?.cost.grown ?? 0) / 1024 / 1024,
      'answers that are the server’s fault': measured.filter(
        ({ cost }) => cost.status === 500 || cost.status === 'closed',
      ).length,
    };
  },
};
