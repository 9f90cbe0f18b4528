/**
 * `npm run export -- DIR [--watch]`: writes the site's pages as files for any static host, with the bytes that the
 * server sends. A second run writes only changes. `--markdown DIR` and `--zip FILE` write the posts as Markdown.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicReader } from '#backend/server.ts';
import { OperatorError } from '#blog/errors.ts';
import { setLanguage } from '#blog/messages/language.ts';
import { createExporter, type Exporter, type ExportReport } from '#export/export.ts';
import { claim, ExportFolder } from '#export/folder.ts';
import { createSource } from '#export/source.ts';
import { REDIRECTS_FILE, readRedirects } from '#redirects/redirects-file.ts';
import { type Configuration, readConfiguration } from '#server/configuration.ts';
import { log } from '#server/log/log.ts';
import { reachSite, type SiteAccess } from '#server/site-process.ts';
import { buildIfStale, DIST, ENTRY, STAMP_FILE } from './build-stamp.ts';
import { FLAG, readArguments, runCommand, sentenceOf, TEXT } from './command.ts';
import { requireTarget } from './export/target.ts';

const USAGE = `Usage: npm run export -- DIR [--watch] [--all] [--readers] [--server URL]
       npm run export -- [--markdown DIR] [--zip FILE]
--watch      keeps running and exports every change
--all        requests every page, as if none had been exported
--readers    leaves out the writers' pages, which need the running server
--server URL the address at which the host reaches the running server for /v1 and /api
--markdown   writes every post as Markdown, including drafts, with pictures, people and old addresses
--zip        writes the same as one file`;

const REBUILD_BATCH = 200;

function options() {
  const { values, positionals } = readArguments(
    USAGE,
    { watch: FLAG, all: FLAG, readers: FLAG, server: TEXT, markdown: TEXT, zip: TEXT },
    1,
  );
  const [directory = ''] = positionals;
  const isMarkdown = Boolean(values.markdown || values.zip);
  if (isMarkdown === (directory !== '')) throw new OperatorError(USAGE);
  return { ...values, isMarkdown, directory, server: values.server?.replace(/\/+$/, '') };
}

/** Returns the server's URL for the static host, if any. @throws OperatorError without SITE_URL or a needed server */
async function writersServer(
  { site, siteUrl, ownAddress }: Configuration,
  { readers, server }: { readonly readers: boolean; readonly server?: string | undefined },
): Promise<string | undefined> {
  if (siteUrl === ownAddress) {
    throw new OperatorError(
      `SITE_URL is not set, so the pages would give ${siteUrl} as their address. Set it to the address readers will use, for the server too.`,
    );
  }
  if (readers || !site.endpoint.startsWith('/')) return server;
  const address = server ?? ownAddress;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new OperatorError('--server must be an address that starts with http:// or https://');
  }
  const health = await fetch(`${address}/v1/health/version`, { signal: AbortSignal.timeout(30_000) }).catch(() => {});
  if (health?.ok) return address;
  throw new OperatorError(
    `The writers' pages need the site's server at /v1, but none answers at ${address}. Start it, or give its address with --server URL; or set APPWRITE_ENDPOINT and APPWRITE_ACCESS=direct; or leave out the writers' pages with --readers.`,
  );
}

function refresher({ origin, isOwn, rebuildToken }: SiteAccess, { appwrite }: Configuration) {
  if (!rebuildToken || !(isOwn || appwrite.endpoint)) return undefined;
  return async (tags: readonly string[]) => {
    for (let at = 0; at < tags.length; at += REBUILD_BATCH) {
      const response = await fetch(`${origin}/api/rebuild`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${rebuildToken}` },
        body: JSON.stringify({ tags: tags.slice(at, at + REBUILD_BATCH) }),
      });
      if (response.status !== 200 && response.status !== 503) {
        throw new OperatorError(
          `The server could not render the pages again: ${response.status} ${await response.text()}`,
        );
      }
    }
  };
}

function print(report: ExportReport, directory: string): void {
  const { posts, pages, written, removed, foreign, missing, milliseconds } = report;
  const files = (list: readonly string[]) =>
    list.length <= 30 ? list : [...list.slice(0, 30), `… and ${list.length - 30} more`];
  for (const file of files(written)) console.log(`wrote   ${file}`);
  for (const file of files(removed)) console.log(`removed ${file}`);
  for (const file of files(foreign))
    console.log(`left    ${file}: no export wrote it. Move it away and run this again.`);
  for (const address of files(missing)) console.log(`missing ${address}`);
  console.log(
    `${directory}: ${posts} posts on ${pages} pages, ${written.length} files written, ${removed.length} removed in ${milliseconds / 1000} s`,
  );
}

/** Exports each change until a signal arrives. @throws OperatorError if a server started by this command ends */
async function follow(
  exporter: Exporter,
  { origin, ended }: SiteAccess,
  directory: string,
  { appwrite }: Configuration,
): Promise<void> {
  const { watch } = await import('#export/watch.ts');
  const { subscribeToPublicPosts } = await import('#backend/server/subscribe-to-posts.ts');
  const endpoint = appwrite.endpoint ?? `${origin}/v1`;
  const subscribe = (onChange: () => void) => subscribeToPublicPosts({ ...appwrite, endpoint }, onChange);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  void ended?.then(() =>
    ending.abort(new OperatorError('The server that this export had started has stopped. Run the export again.')),
  );
  console.log(`Watching ${origin}. Press Ctrl+C to end.`);
  const longest = appwrite.endpoint ? 60_000 : 300_000;
  let isBehind = false;
  await watch({ origin, subscribe, signs: exporter.signs, interval: 500, longest, signal: ending.signal }, async () => {
    try {
      const report = await exporter.run();
      if (isBehind) console.log('The export is up to date again.');
      isBehind = false;
      if (report.written.length + report.removed.length > 0) print(report, directory);
      return { again: report.stale > 0 };
    } catch (error) {
      if (!isBehind) log('warn', `The export is out of date: ${sentenceOf(error)} It will continue as soon as it can.`);
      isBehind = true;
      throw error;
    }
  });
  if (ending.signal.reason instanceof Error && ending.signal.reason.name !== 'AbortError') throw ending.signal.reason;
}

await runCommand(async () => {
  const given = options();
  const configuration = readConfiguration();
  if (given.isMarkdown) {
    // Loaded on demand, because the Markdown parsers take half a second to load.
    const { runMarkdownExport } = await import('./export/markdown.ts');
    return runMarkdownExport(given, configuration);
  }
  requireTarget(given.directory, configuration);
  const server = await writersServer(configuration, given);
  const release = await claim(given.directory, 'site');
  const site = await reachSite(configuration, {
    entry: ENTRY,
    commandEnvironment: process.env,
    prepare: () => buildIfStale(),
  }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  setLanguage(site.site.language);
  const source = createSource(site.origin, 4);
  try {
    const { appwrite, operator, siteFile, dataDirectory } = configuration;
    const endpoint = appwrite.endpoint ?? `${site.origin}/v1`;
    const reader = createPublicReader({ ...appwrite, endpoint, apiKey: appwrite.apiKey });
    const exporter = createExporter({
      source,
      folder: await ExportFolder.open(given.directory),
      site: site.site,
      build: () => `${existsSync(STAMP_FILE) ? readFileSync(STAMP_FILE, 'utf8') : ''} ${JSON.stringify(operator)}`,
      assets: join(DIST, 'client'),
      files: siteFile.files,
      posts() {
        // Drops the cached author names, which may have changed since the last run.
        reader.forget();
        return reader.everyPost({ withPages: true });
      },
      redirects: () => readRedirects(join(dataDirectory, REDIRECTS_FILE)),
      authorName: (userId) => reader.authorName(userId),
      islands: !given.readers,
      server: given.readers ? given.server : server,
      refresh: refresher(site, configuration),
      log,
    });
    const report = await exporter.run({ all: given.all });
    print(report, given.directory);
    if (given.watch) await follow(exporter, site, given.directory, configuration);
    return report.foreign.length + report.missing.length > 0 ? 1 : 0;
  } finally {
    source.close();
    await site.close();
    await release();
  }
});
