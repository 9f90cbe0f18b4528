/**
 * `npm run bench -- lighthouse [--runs 5] [--pages home,post,author,search] [--phone]`: Lighthouse on a phone, medians.
 * Fails below 100 in any category. `--phone` measures paints with every request and the processor really held back.
 */
import { parseArgs } from 'node:util';
import { removeSite } from '../e2e/site.ts';
import { type Audit, CATEGORIES, openAuditor } from './audit.ts';
import { table } from './figures.ts';
import { seededSite } from './seeded-site.ts';

/** Milliseconds on slow 4G with a processor four times slower. */
const FIRST_PAINT = 800;
const LARGEST_PAINT = 1400;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    runs: { type: 'string', default: '5' },
    pages: { type: 'string', default: 'home,post,author,search' },
    phone: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)}`;

function row(name: string, { scores, metrics, weight }: Audit): string[] {
  return [
    name,
    ...CATEGORIES.map((category) => `${scores[category]}`),
    seconds(metrics.firstPaint),
    seconds(metrics.largestPaint),
    `${metrics.blocking.toFixed(0)} ms`,
    metrics.shift.toFixed(3),
    `${weight.requests}`,
    kilobytes(weight.bytes),
    kilobytes(weight.scriptBytes),
  ];
}

const { site, pages } = await seededSite();
const auditor = await openAuditor();
try {
  const names = values.pages.split(',').filter((name): name is keyof typeof pages => name in pages);
  const throttling = values.phone ? 'devtools' : 'simulate';
  const audits: (readonly [string, Audit])[] = [];
  for (const name of names) {
    const url = site.url + pages[name];
    await (await fetch(url)).arrayBuffer();
    audits.push([name, await auditor.audit(url, { runs, throttling })]);
  }
  const head = ['', ...CATEGORIES, 'first paint', 'largest', 'blocking', 'shift', 'requests', 'KB', 'script KB'];
  console.log(table([head, ...audits.map(([name, audit]) => row(name, audit))]));
  for (const [name, { faults }] of audits) for (const fault of faults) console.log(`${name}: ${fault}`);
  const missed = audits.flatMap(([name, { scores, metrics }]) => [
    ...(values.phone ? [] : CATEGORIES.filter((category) => scores[category] < 100).map((each) => `${name}: ${each}`)),
    ...(metrics.firstPaint > FIRST_PAINT ? [`${name}: first paint`] : []),
    ...(metrics.largestPaint > LARGEST_PAINT ? [`${name}: largest paint`] : []),
  ]);
  console.log(missed.length === 0 ? `All targets met, medians of ${runs} runs.` : `Missed: ${missed.join(', ')}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await auditor.close();
  await removeSite(site);
}
