/**
 * `npm run bench -- round-trip [--folder DIR] [--documents 10000] [--seed 1]`: imports DIR, a folder of Markdown,
 * exports it as Markdown, imports that into an empty site, and compares all posts and pictures of both sites. Also
 * converts generated HTML in the stored form (docs/content.md) to Markdown and back. Fails on any difference.
 */
import fc from 'fast-check';
import { createAdmin } from '#backend/server-key/admin.ts';
import { storedHtml } from '#transfer/html/conform.ts';
import { readOwnText } from '#transfer/markdown/own-text.ts';
import { writeText } from '#transfer/markdown-export/write-text.ts';
import { anyDocument } from '../editor/documents.ts';
import { openEmbeddedSite } from '../support/embedded-site.ts';
import { differences, exportSite, takeExport } from '../support/round-trip.ts';
import { table } from './figures.ts';
import { optionsOf } from './options.ts';

const values = optionsOf({ folder: '', documents: 10_000, seed: 1 });
const found: string[] = [];
const rows = [['', 'texts', 'pictures', 'differences']];

const documents = fc.sample(anyDocument, { numRuns: values.documents, seed: values.seed });
for (const html of documents) {
  const written = writeText(html);
  if (storedHtml(readOwnText(written.body, written.form)) !== html) found.push(html);
}
rows.push(['documents of the set', ...[documents.length, 0, found.length].map(String)]);

if (values.folder) {
  const [here, there] = await Promise.all([openEmbeddedSite(), openEmbeddedSite()]);
  try {
    const { user } = await createAdmin(here.target).createAuthor({ email: 'corpus@example.com', name: 'Corpus' });
    await takeExport(here, values.folder, { userId: user.id });
    const { folder, faults } = await exportSite(here, 'out');
    const results = await takeExport(there, folder);
    const others = results.filter(({ outcome, path }) => outcome !== 'taken' && path !== 'README.md');
    const compared = await differences(here, there);
    const all = [...faults, ...others.map(({ path, reason }) => `${path}: ${reason}`), ...compared.found];
    found.push(...all);
    rows.push([values.folder, ...[compared.posts, compared.pictures, all.length].map(String)]);
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}
console.log(table(rows));
for (const each of found.slice(0, 20)) console.log(each);
process.exitCode = found.length === 0 ? 0 : 1;
