/** Compares texts with what the editor saves: documents of the stored set, arbitrary content and imported folders. */
import fc from 'fast-check';
import type { Page } from 'playwright';
import { sanitise } from '#blog/content/sanitise.ts';
import type { Site } from '#blog/site.ts';
import { openArchive } from '#transfer/archive.ts';
import { headOf, textOf } from '#transfer/markdown/import.ts';
import { createLinks } from '#transfer/markdown/links.ts';
import { readSources } from '#transfer/markdown/sources.ts';
import { compose } from '#transfer/write/compose.ts';
import { assignSlugs } from '#transfer/write/slugs.ts';
import { anyContent } from './content.ts';
import { anyDocument } from './documents.ts';
import type { Return } from './page.ts';
import { reading } from './reading.ts';

export interface Judged {
  readonly texts: number;
  readonly differences: readonly Readonly<Record<'name' | 'html' | 'became', string>>[];
}

type Judge = (html: string, back: Return) => string | undefined;
const BATCH = 200;

/** Runs texts through the editor; `judged` returns what a text became, or undefined if it passes. */
async function judge(page: Page, texts: readonly { name: string; html: string }[], judged: Judge): Promise<Judged> {
  const differences: Judged['differences'][number][] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    const batch = texts.slice(start, start + BATCH);
    const htmls = batch.map(({ html }) => html);
    const returns = await page.evaluate((all) => window.returns(all), htmls);
    for (const [index, back] of returns.entries()) {
      const { name, html } = batch[index] ?? { name: '', html: '' };
      const became = judged(html, back);
      if (became !== undefined) differences.push({ name, html, became });
    }
  }
  return { texts: texts.length, differences };
}

const numbered = (texts: readonly string[]) => texts.map((html, index) => ({ name: `document ${index + 1}`, html }));

/** Expects generated documents of the stored set to stay identical and editable, even after other text is typed. */
export function judgeDocuments(page: Page, count: number, seed: number): Promise<Judged> {
  const documents = numbered(fc.sample(anyDocument, { numRuns: count, seed }));
  return judge(page, documents, (html, { out, touched, opaque }) => {
    if (out !== html) return out;
    if (touched !== html) return touched;
    if (opaque.length > 0) return `${opaque.length} opaque blocks`;
    // A document that the sanitiser changes is not part of the stored set, so it would prove nothing.
    return sanitise(html) === html ? undefined : `sanitised: ${sanitise(html)}`;
  });
}

/** Expects generated, sanitised content to keep its meaning, in HTML that the sanitiser again leaves unchanged. */
export async function judgeWildContent(page: Page, count: number, seed: number): Promise<Judged> {
  const texts = numbered(fc.sample(anyContent, { numRuns: count, seed }).map(sanitise));
  const pairs: { name: string; html: string; out: string; touched: string }[] = [];
  const judged = await judge(page, texts, (html, { out, touched }) => {
    pairs.push({ name: texts[pairs.length]?.name ?? '', html, out, touched });
    return sanitise(out) === out ? undefined : out;
  });
  const same = await page.evaluate(
    (all) => all.map(({ html, out, touched }) => window.same(html, out) && window.same(out, touched)),
    pairs,
  );
  const other = pairs.filter((_, index) => !same[index]).map(({ name, html, out }) => ({ name, html, became: out }));
  return { ...judged, differences: [...judged.differences, ...other] };
}

/** Imports a folder's Markdown files as `npm run import` does; expects readers to see the same text afterwards. */
export async function judgeFolder(page: Page, folder: string): Promise<Judged> {
  return judge(page, await importedTexts(folder), (html, { out, touched }) => {
    const before = reading(html);
    return firstOther(before, reading(out)) ?? firstOther(before, reading(touched));
  });
}

function firstOther(before: readonly string[], after: readonly string[]): string | undefined {
  const length = Math.max(before.length, after.length);
  for (let at = 0; at < length; at += 1) if (before[at] !== after[at]) return `${after[at]}\ninstead of\n${before[at]}`;
  return undefined;
}

const SITE: Site = {
  ...{ name: 'Site', tagline: '', language: 'en', url: 'https://site.example', endpoint: '/v1' },
  ...{ projectId: 'project', databaseId: 'blog', collectionId: 'articles', revisionsId: '', bucketId: 'media' },
};

async function importedTexts(folder: string): Promise<{ name: string; html: string }[]> {
  const archive = await openArchive(folder);
  const { sources } = await readSources(archive);
  const named = sources.map((source) => ({ path: source.path, name: source.fields.name }));
  const slugs = await assignSlugs(named, (_slug, [first]) => first);
  const links = { follow: createLinks(sources, archive) };
  const texts: { name: string; html: string }[] = [];
  for (const source of sources) {
    const { post } = await compose(headOf(source), textOf(source), { site: SITE, links, slugs });
    texts.push({ name: source.path, html: post.content });
  }
  return texts;
}

export const told = ({ differences }: Judged): string =>
  differences
    .slice(0, 5)
    .map(({ name, html, became }) => {
      let at = 0;
      while (at < html.length && html[at] === became[at]) at += 1;
      const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200);
      return `${name}:\n${around(html)}\nbecame\n${around(became)}`;
    })
    .join('\n\n');
