import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendStatistics } from 'embedded-appwrite';
import { readBackupRecord } from '#operations/backup/backup-record.ts';
import type { Statistics as PageStatistics } from '#page-store/page-store.ts';
import type { Configuration } from '../configuration.ts';
import { byLabel, exposition, type Family, type Sample } from './exposition.ts';
import { Histogram, Histograms } from './histogram.ts';
import { watchProcess } from './process-metrics.ts';
import { type FastPathCounts, RequestMetrics } from './request-metrics.ts';

export interface SiteMetricsSources {
  readonly configuration: Configuration;
  readonly build: string;
  readonly pages: () => PageStatistics;
  readonly fastPath: () => FastPathCounts | undefined;
  readonly backend: (() => BackendStatistics) | undefined;
  readonly isBackendUp: () => Promise<boolean>;
}

export class SiteMetrics {
  readonly requests = new RequestMetrics();
  readonly #process = watchProcess();
  /** Seconds from the backend's write event until the pages that show the change are stored. */
  readonly visible = new Histogram();
  readonly #calls = new Histograms('call');
  readonly #failedCalls = new Map<string, number>();
  signIns = 0;

  readonly observeCall = (call: string, seconds: number, failed: boolean): void => {
    this.#calls.observe(call, seconds);
    if (failed) this.#failedCalls.set(call, (this.#failedCalls.get(call) ?? 0) + 1);
  };

  open(sources: SiteMetricsSources): () => Promise<string> {
    const { configuration, build, pages, fastPath, backend, isBackendUp } = sources;
    const release = [{ value: 1, labels: { build: build.slice(0, 12), node: process.versions.node } }];
    return async () =>
      exposition([
        ['gauge', 'common_ink_build_info', 'Always 1; the labels give the versions of the build and of Node.', release],
        ...this.requests.families(fastPath()),
        ...pageFamilies(pages()),
        [
          'histogram',
          'common_ink_publish_visible_seconds',
          'Time from the backend’s notice of a write to storing the pages that show it.',
          this.visible.samples(),
        ],
        ['gauge', 'common_ink_backend_up', '1 if the backend answers, otherwise 0.', Number(await isBackendUp())],
        [
          'histogram',
          'common_ink_backend_call_duration_seconds',
          'Backend calls made by public pages, not counting cached reads.',
          this.#calls.samples(),
        ],
        [
          'counter',
          'common_ink_backend_calls_failed_total',
          'Failed backend calls made by public pages.',
          byLabel('call', Object.fromEntries(this.#failedCalls)),
        ],
        ...backendFamilies(configuration, backend?.()),
        ['counter', 'common_ink_sign_ins_total', 'Sessions created.', backend && this.signIns],
        [
          'gauge',
          'common_ink_sqlite_bytes',
          'Sizes of the databases and their write-ahead logs.',
          databaseBytes(configuration),
        ],
        ...backupFamilies(configuration),
        ...this.#process(),
      ]);
  }
}

function pageFamilies({ pages, bytes, memoryBytes, hits, stale, renders, failures }: PageStatistics): Family[] {
  const { write: writer, read: reader, publish, background } = renders;
  return [
    ['gauge', 'common_ink_pages_stored', 'Stored pages.', pages],
    ['gauge', 'common_ink_pages_stored_bytes', 'Bytes of stored pages on disk, including compressed forms.', bytes],
    ['gauge', 'common_ink_pages_memory_bytes', 'Bytes of stored pages in memory.', memoryBytes],
    ['counter', 'common_ink_page_hits_total', 'Pages served from the store.', hits],
    ['counter', 'common_ink_page_stale_total', 'Outdated pages served because rendering failed.', stale],
    [
      'counter',
      'common_ink_page_renders_total',
      'Renders by reason: a waiting writer, a waiting reader, a write, or upkeep.',
      byLabel('reason', { writer, reader, publish, background }),
    ],
    ['counter', 'common_ink_page_renders_failed_total', 'Renders that failed.', failures],
  ];
}

function backendFamilies({ appwrite }: Configuration, statistics: BackendStatistics | undefined): Family[] {
  if (!statistics) return [];
  const { stored, mails } = statistics;
  const documents = (collection: string) => stored.documents[`${appwrite.databaseId}/${collection}`];
  const outcomes = mails && { sent: mails.sent, postponed: mails.postponed, given_up: mails.givenUp };
  return [
    ['gauge', 'common_ink_posts', 'Posts, published or not.', documents(appwrite.collectionId)],
    ['gauge', 'common_ink_revisions', 'Former versions of posts.', documents(appwrite.revisionsId)],
    ['gauge', 'common_ink_files', 'Stored files.', stored.files],
    ['gauge', 'common_ink_accounts', 'Accounts.', stored.accounts],
    ['gauge', 'common_ink_sessions', 'Sessions, including expired ones that are not deleted yet.', stored.sessions],
    ['counter', 'common_ink_mails_total', 'Mails by outcome.', outcomes && byLabel('outcome', outcomes)],
    ['gauge', 'common_ink_mails_waiting', 'Mails waiting to be sent.', mails && stored.mailsWaiting],
  ];
}

function backupFamilies({ dataDirectory }: Configuration): Family[] {
  const { last, checked, failed } = readBackupRecord(dataDirectory);
  const at = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time) / 1000);
  return [
    ['gauge', 'common_ink_backup_last_timestamp_seconds', 'Time of the newest backup.', at(last?.made)],
    [
      'gauge',
      'common_ink_backup_last_checked_timestamp_seconds',
      'Time of the newest backup that passed its check.',
      at(checked?.made),
    ],
    [
      'gauge',
      'common_ink_backup_last_failure_timestamp_seconds',
      'Time of the last failed scheduled backup.',
      at(failed?.at),
    ],
    ['gauge', 'common_ink_backup_last_bytes', 'Size of the newest backup.', last?.bytes],
  ];
}

function databaseBytes({ dataDirectory, publishing }: Configuration): Sample[] {
  const files = {
    backend: join(dataDirectory, 'backend', 'backend.sqlite'),
    pages: join(publishing.directory, 'index.sqlite'),
  };
  return Object.entries(files).flatMap(([database, path]) =>
    Object.entries({ main: path, wal: `${path}-wal` }).flatMap(([file, each]) => {
      const size = statSync(each, { throwIfNoEntry: false })?.size;
      return size === undefined ? [] : [{ value: size, labels: { database, file } }];
    }),
  );
}
