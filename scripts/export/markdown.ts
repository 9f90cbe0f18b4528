import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { wholeSite } from '#backend/server-key/whole-site.ts';
import { claim, ExportFolder } from '#export/folder.ts';
import { REDIRECTS_FILE } from '#redirects/redirects-file.ts';
import { withBackend } from '#server/backend/embedded.ts';
import type { Configuration } from '#server/configuration.ts';
import {
  exportMarkdown,
  type MarkdownExportOptions,
  type MarkdownExportReport,
} from '#transfer/markdown-export/export.ts';
import { requireTarget } from './target.ts';

/** Exports the posts as Markdown. Returns 1 if anything could not be exported. @throws OperatorError for a bad folder */
export async function runMarkdownExport(
  { markdown, zip }: { readonly markdown?: string | undefined; readonly zip?: string | undefined },
  configuration: Configuration,
): Promise<0 | 1> {
  const isFolderWhole = !markdown || printReport(markdown, await intoFolder(markdown, configuration));
  const isZipWhole = !zip || printReport(zip, await intoZip(zip, configuration));
  return isFolderWhole && isZipWhole ? 0 : 1;
}

async function exportTo(put: MarkdownExportOptions['put'], configuration: Configuration) {
  const { appwrite, site, dataDirectory } = configuration;
  const redirects = await readFile(join(dataDirectory, REDIRECTS_FILE), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  return withBackend(configuration, (access) =>
    exportMarkdown({ source: wholeSite({ ...appwrite, ...access }), site, redirects, put }),
  );
}

interface ExportReport extends MarkdownExportReport {
  readonly foreign: readonly string[];
}

async function intoFolder(directory: string, configuration: Configuration): Promise<ExportReport> {
  requireTarget(directory, configuration);
  const release = await claim(directory, 'markdown');
  try {
    const folder = await ExportFolder.open(directory);
    folder.begin();
    const kept = new Set<string>();
    const report = await exportTo(async (path, bytes) => {
      kept.add(path);
      await folder.put(path, bytes);
    }, configuration);
    await folder.keepOnly(kept);
    await folder.settle();
    return { ...report, foreign: [...folder.foreign] };
  } finally {
    await release();
  }
}

async function intoZip(file: string, configuration: Configuration): Promise<ExportReport> {
  const partial = `${file}.partial`;
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(partial, { mode: 0o600 }));
  // Prevents an unhandled rejection. The code below reports the error.
  written.catch(() => {});
  try {
    const report = await exportTo(async (path, bytes) => {
      await Promise.race([added(zip, path, bytes), written]);
    }, configuration);
    zip.end();
    await written;
    await rename(partial, file);
    return { ...report, foreign: [] };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Adds a file to the zip. Resolves once the zip has read it, so that only one file is in memory at a time. */
function added(zip: ZipFile, path: string, bytes: Buffer): Promise<void> {
  const options = { compress: !path.startsWith('pictures/'), size: bytes.length };
  return new Promise((resolve) => {
    zip.addReadStreamLazy(path, options, (give) => give(null, Readable.from([bytes]).once('close', resolve)));
  });
}

function printReport(target: string, { posts, drafts, pictures, faults, foreign }: ExportReport): boolean {
  for (const file of foreign) console.log(`left    ${file}: no export wrote it. Move it away and run this again.`);
  for (const fault of faults) console.log(`! ${fault}`);
  console.log(`${target}: ${posts} posts (${drafts} of them drafts) and ${pictures} pictures`);
  return faults.length + foreign.length === 0;
}
