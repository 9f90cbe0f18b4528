/**
 * `npm run bench -- fidelity [--documents 10000] [--wild 3000] [--seed 1] [--folder DIR]`: counts the texts that the
 * editor returns unchanged. DIR holds Markdown files, imported like `npm run import`. Fails on any difference.
 */
import { parseArgs } from 'node:util';
import { editorPage } from '../editor/chromium.ts';
import { type Judged, judgeDocuments, judgeFolder, judgeWildContent, told } from '../editor/fidelity.ts';
import { table } from './figures.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    documents: { type: 'string', default: '10000' },
    wild: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
});
const seed = Number(values.seed);
/** Checks this many texts per seed, so that a Chromium page stays small. */
const PORTION = 1000;

async function inPortions(count: number, work: (part: number, seed: number) => Promise<Judged>): Promise<Judged> {
  let sum: Judged = { texts: 0, characters: 0, opaque: 0, differences: [] };
  for (let done = 0; done < count; done += PORTION) {
    const part = await work(Math.min(PORTION, count - done), seed + done);
    sum = {
      texts: sum.texts + part.texts,
      characters: sum.characters + part.characters,
      opaque: sum.opaque + part.opaque,
      differences: [...sum.differences, ...part.differences],
    };
  }
  return sum;
}

const { browser, page } = await editorPage();
try {
  const judged: [string, Judged][] = [
    [
      'documents of the set',
      await inPortions(Number(values.documents), (part, own) => judgeDocuments(page, part, own)),
    ],
    ['wild content', await inPortions(Number(values.wild), (part, own) => judgeWildContent(page, part, own))],
  ];
  if (values.folder) judged.push([values.folder, await judgeFolder(page, values.folder)]);
  const rows = judged.map(([name, { texts, characters, opaque, differences }]) => [
    name,
    ...[texts, characters, opaque, differences.length].map(String),
  ]);
  console.log(table([['', 'texts', 'characters', 'opaque blocks', 'differences'], ...rows]));
  for (const [, each] of judged) if (each.differences.length > 0) console.log(told(each));
  process.exitCode = judged.every(([, { differences }]) => differences.length === 0) ? 0 : 1;
} finally {
  await browser.close();
}
