import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicReader } from '#backend/server.ts';
import type { Site } from '#blog/site.ts';
import { createExporter, type Exporter, type ExportOptions } from '#export/export.ts';
import { createSource } from '#export/source.ts';
import { REDIRECTS_FILE, readRedirects } from '#redirects/redirects-file.ts';
import type { Configuration } from '#server/configuration.ts';
import { log } from '#server/log/log.ts';
import { DIST, STAMP_FILE } from '../build-stamp.ts';

export interface ExporterOptions extends Pick<ExportOptions, 'folder' | 'islands' | 'server' | 'refresh'> {
  readonly configuration: Configuration;
  readonly site: Site;
  readonly origin: string;
}

/** Before calling this, claim the folder. Close the exporter afterwards. */
export function exporterOf({ configuration, site, origin, ...options }: ExporterOptions): Exporter & { close(): void } {
  const { appwrite, operator, siteFile, dataDirectory } = configuration;
  const source = createSource(origin, 4);
  const endpoint = appwrite.endpoint ?? `${origin}/v1`;
  const reader = createPublicReader({ ...appwrite, endpoint, apiKey: appwrite.apiKey });
  const exporter = createExporter({
    source,
    site,
    build: () => `${existsSync(STAMP_FILE) ? readFileSync(STAMP_FILE, 'utf8') : ''} ${JSON.stringify(operator)}`,
    assets: join(DIST, 'client'),
    files: siteFile.files,
    posts: () => reader.everyPost({ withPages: true }),
    redirects: () => readRedirects(join(dataDirectory, REDIRECTS_FILE)),
    authorName: (userId) => reader.authorName(userId),
    log,
    ...options,
  });
  return {
    run(how) {
      // Author names may have changed since the last run.
      reader.forget();
      return exporter.run(how);
    },
    signs: exporter.signs,
    close: source.close,
  };
}
