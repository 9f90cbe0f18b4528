/** Measures each route's cost for each caller, with each field at its limit, on a site of a few hundred posts. */
import type { Attack } from './attack.ts';
import { backendRows } from './cost/backend-rows.ts';
import { excess, isServersFault, type Measured, measured } from './cost/limits.ts';
import { measuredSite } from './cost/measured-site.ts';
import { pageRows } from './cost/page-rows.ts';
import { nameOf } from './cost/row.ts';

export const attack: Attack = {
  title: 'one request of each kind with each field at its limit, and what it costs the server',
  limits: { 'answers that are the server’s fault': 0, 'rows over a limit': 0 },
  async run({ build }) {
    await using site = await measuredSite(build);
    const all: Measured[] = [];
    for (const row of [...pageRows(site), ...(await backendRows(site))]) {
      all.push(await measured(site.meter, row));
      await site.deleteFreshPosts();
    }
    const serversFaults = all.filter(isServersFault);
    for (const { row, cost } of serversFaults) console.log(`The server's fault: ${nameOf(row)}: ${cost.status}`);
    const over = all.filter((each) => excess(each).length > 0);
    for (const each of over) console.log(`Over a limit: ${nameOf(each.row)}: ${excess(each).join(', ')}`);
    return { 'answers that are the server’s fault': serversFaults.length, 'rows over a limit': over.length };
  },
};
