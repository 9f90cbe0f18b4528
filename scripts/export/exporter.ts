/** The exporter of a configured site: pages from its server, posts from its backend. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicReader } from '#backend/server.ts';
import { createExporter, type Exporter, type ExportOptions } from '#publishing/export/export.ts';
import { ExportFolder } from '#publishing/export/folder.ts';
import { Ledger } from '#publishing/export/ledger.ts';
import { createSource } from '#publishing/export/source.ts';
import { MOVED_FILE, movedIn } from '#publishing/moved.ts';
import type { Configuration } from '#server/configuration.ts';
import { log } from '#server/log.ts';
import { DIST, STAMP_FILE } from '../build-stamp.ts';

export interface ExporterOptions extends Pick<ExportOptions, 'folder' | 'ledger' | 'islands' | 'server' | 'refresh'> {
  readonly configuration: Configuration;
  /** Where the site's server answers. */
  readonly origin: string;
}

/** What the last run left in a folder, which the caller has claimed. */
export async function readLeft(directory: string): Promise<Pick<ExportOptions, 'folder' | 'ledger'>> {
  const folder = await ExportFolder.open(directory);
  return { folder, ledger: await Ledger.read(folder) };
}

/** The caller closes it, and has claimed the folder. */
export function exporterOf({ configuration, origin, ...options }: ExporterOptions): Exporter & { close(): void } {
  const { appwrite, site, siteFile, dataDirectory } = configuration;
  const source = createSource(origin, 12);
  const endpoint = appwrite.endpoint ?? `${origin}/v1`;
  const reader = createPublicReader({ ...appwrite, endpoint, apiKey: appwrite.apiKey });
  const exporter = createExporter({
    source,
    site,
    build: () => `${existsSync(STAMP_FILE) ? readFileSync(STAMP_FILE, 'utf8') : ''} ${JSON.stringify(siteFile.look)}`,
    assets: join(DIST, 'client'),
    files: siteFile.files,
    posts: () => reader.everyPost(),
    postsOf: (ids) => reader.summariesOf(ids),
    hearsEveryWrite: !appwrite.endpoint,
    moved: () => movedIn(join(dataDirectory, MOVED_FILE)),
    authorName: (userId) => reader.authorName(userId),
    log,
    ...options,
  });
  return {
    run(how) {
      // Names that were remembered for the last run may be others by now.
      reader.forget();
      return exporter.run(how);
    },
    signs: exporter.signs,
    close: source.close,
  };
}
