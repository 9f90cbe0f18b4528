/** `npm run words -- DIR REPORT SITE`: compares the words of imports and of public pages (docs/importing.md). */

import { compareWords } from '../tests/import/words.ts';

const [folder, report, site] = process.argv.slice(2);
if (!folder || !report || !site) {
  console.error('npm run words -- DIR REPORT SITE');
  process.exitCode = 1;
} else if ((await compareWords(folder, report, site.replace(/\/$/, ''))) > 0) process.exitCode = 1;
