import { createHash } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Encoding } from '@common-ink/http/encoding.ts';
import type { BackendEvent } from 'embedded-appwrite';
import { createApiLimits } from '#api/limits.ts';
import type { PublishingLocals } from '#api/locals.ts';
import { type DraftLinks, openDraftLinks } from '#backend/draft-links/draft-links.ts';
import { createPasskeys } from '#backend/passkeys/passkeys.ts';
import { createPeople, type People } from '#backend/people/people.ts';
import { openSchedule } from '#backend/schedule/schedule.ts';
import { createPostChanges } from '#backend/server/query-changed-posts.ts';
import type { ArticleDocument, PublicReader } from '#backend/server.ts';
import { hidePicturesOf } from '#backend/sweep/exposed.ts';
import { dropVersions } from '#backend/sweep/versions.ts';
import type { ServerTarget } from '#backend/target.ts';
import { verifySession } from '#backend/verify-session.ts';
import { slugOf } from '#blog/routes/canonical.ts';
import { AUTHOR_TAG, authorTag, POST_TAG, POSTS, postTag, SITE } from '#blog/routes/tags.ts';
import { createPageHandler } from '#page-store/page-handler.ts';
import { PageStore } from '#page-store/page-store.ts';
import { concreteEvent, isOfArticle, isOfStructure, revalidationFor } from '#publishing/backend-events.ts';
import { indexNow, webSub } from '#publishing/notify-search-engines/indexnow-and-websub.ts';
import { createPeers } from '#publishing/peers.ts';
import { driverOf } from '#publishing/purge/cdn-drivers.ts';
import { savePending, takePending } from '#publishing/purge/pending-purges-file.ts';
import { createPurger, type Purger } from '#publishing/purge/purger.ts';
import { createRevalidate, pagesOfWrite, type Revalidate, type Revalidation } from '#publishing/revalidate.ts';
import type { Redirects } from '#redirects/redirects-file.ts';
import type { Configuration } from './configuration.ts';
import { every, type RepeatedJob } from './jobs/every.ts';
import { lookForGone } from './jobs/look-for-gone.ts';
import { type Polling, pollForChanges } from './jobs/poll-for-changes.ts';
import { keepSchedule, type Scheduler } from './jobs/schedule.ts';
import { sweepTarget } from './jobs/sweep.ts';
import { log } from './log/log.ts';
import { openOwnerToken } from './owner-token.ts';
import type { SiteSettings } from './site/site-settings.ts';

export type Publishing = ReturnType<typeof openPublishing>;

const MEBIBYTE = 1024 * 1024;
/** Used in place of the build id for pending notifications, which contain only URLs and stay valid in every build. */
const NOTIFICATIONS = 'announced';
/** Maximum time that the response to a removal waits for other instances. */
const PEERS_PATIENCE_MS = 1000;
/** Maximum time that the response to a write waits for the pages that show it. */
const WRITERS_PATIENCE_MS = 20;
/**
 * Interval at which a remote Appwrite is polled for changed settings. `SETTINGS_PATIENCE_MS` limits how long startup
 * waits for the stored settings of any backend.
 */
const SETTINGS_POLL_MS = 4000;
const SETTINGS_PATIENCE_MS = 10_000;
/** Maximum time that startup waits for the removal of pages that are no longer public. */
const GONE_PATIENCE_MS = 10_000;
/** Requester id of writes with a server key. No user has this id. */
const KEYS = '';

/** Identifies the build and the operator's settings. Pages stored under another id are rendered again. */
function buildId({ site, operator, publishing: { notify } }: Configuration): string {
  return createHash('sha256')
    .update(JSON.stringify([import.meta.env.BUILD_ID, site, operator, notify.webSubHub]))
    .digest('hex')
    .slice(0, 16);
}

function ownTag(path: string): string {
  const slug = slugOf(path);
  return slug === undefined ? POSTS : postTag(slug);
}

export interface PublishingOptions {
  /** Reads the content of public pages. Its caches are updated on each write. */
  readonly reader: Pick<PublicReader, 'forget' | 'postChanged'>;
  readonly redirects: Redirects;
  readonly render: (path: string) => Promise<Response>;
  readonly state?: string | undefined;
  readonly hasRoom?: (() => boolean) | undefined;
  readonly portNow?: () => number | undefined;
  readonly settings?: Pick<SiteSettings, 'follow' | 'now'> | undefined;
  /** Called when the pages that show a write are stored, with the seconds since the backend's event. */
  readonly observeVisible?: (seconds: number) => void;
}

export function openPublishing(
  configuration: Configuration,
  { reader, redirects, render, state, hasRoom = () => true, observeVisible, portNow, settings }: PublishingOptions,
) {
  const { appwrite, publishing, siteUrl } = configuration;
  const { cdn } = publishing;
  const driver = cdn && driverOf(cdn);
  const build = buildId(configuration);
  const pendingFile = join(publishing.directory, 'purges.json');
  let purger: Purger | undefined;
  const store = new PageStore({
    directory: publishing.directory,
    render,
    maximumBytes: publishing.diskMegabytes * MEBIBYTE,
    memoryBytes: publishing.memoryMegabytes * MEBIBYTE,
    hasRoom,
    build,
    state,
    ...(publishing.maximumAge !== undefined && { maximumAge: publishing.maximumAge }),
    ...(cdn &&
      driver && {
        edge: {
          // The CDN keeps a page no longer than the store does.
          maxAge: Math.min(cdn.maxAge, publishing.maximumAge ?? cdn.maxAge),
          tagHeaders: driver.tagHeaders,
          control: driver.control,
        },
      }),
    onStalePageFound: (path) => purger?.purge({ tags: [ownTag(path)], paths: [path] }),
    log,
  });
  if (driver) {
    const pathsOf = (tags: readonly string[]) => store.paths({ tags });
    purger = createPurger({ driver, siteUrl, pathsOf, pending: takePending(pendingFile, build, log), log });
  }
  const notifiers = openNotifiers(configuration);
  const peers = createPeers({ peers: publishing.peers, secret: publishing.peerSecret ?? '', log });
  const revalidateHere = createRevalidate({
    store,
    receivesEveryWrite: !appwrite.endpoint,
    forget: (tags) => reader.forget({ names: tags.some((tag) => tag === SITE || tag.startsWith(AUTHOR_TAG)) }),
    ...(purger && { purge: purger.purge }),
    notifySearchEngines: (paths) => notifiers.notify(paths),
    log,
  });
  const toldBy: Revalidation['from'] = appwrite.endpoint ? 'webhook' : 'backend';
  let polling: Polling | undefined;
  let scheduler: Scheduler | undefined;
  // Number of changes that stored pages may not show yet.
  let underWay = 0;
  let isUntold = false;
  const publish: Revalidate = async (revalidation) => {
    if (revalidation.from === 'webhook') polling?.heard();
    if (appwrite.endpoint && revalidation.slugs) scheduler?.look();
    const told = peers.broadcast(revalidation);
    underWay++;
    const report = await revalidateHere(revalidation).catch((error: unknown) => {
      isUntold = true;
      throw error;
    });
    underWay--;
    if (revalidation.from === toldBy && revalidation.slugs) observeVisible?.(report.milliseconds / 1000);
    // A removed page disappears from every instance before the writer gets the response, unless an instance is slow.
    if (report.removed.length > 0) await Promise.race([told, sleep(PEERS_PATIENCE_MS, undefined, { ref: false })]);
    return report;
  };
  const articles = { databaseId: appwrite.databaseId, collectionId: appwrite.collectionId };
  let sendErrorPage = statusPages(render);
  const refuse = (response: ServerResponse, status: 400 | 405): void => void sendErrorPage(response, status);
  let settingsPoll: RepeatedJob | undefined;
  /** Applies changed settings to every page. Resolves to undefined if they have not changed. */
  const followSettings = (from: Revalidation['from']) =>
    settings?.follow(() => {
      sendErrorPage = statusPages(render);
      return publish({ all: true, from });
    });
  const revalidate: Revalidate = async (revalidation) => {
    const { slugs = [], paths = [], tags = [], all, from } = revalidation;
    if (revalidation.settings) return (await followSettings(from)) ?? UNCHANGED;
    const report = all || tags.includes(SITE) ? await followSettings(from)?.catch(() => undefined) : undefined;
    return report && slugs.length + paths.length === 0 && !revalidation.complete ? report : publish(revalidation);
  };
  const changes = createPostChanges({
    ...{ ...appwrite, endpoint: appwrite.serverEndpoint },
    ...(!appwrite.endpoint && { portNow }),
  });
  const shownPosts = () => store.tags(POST_TAG).map((tag) => tag.slice(POST_TAG.length));
  if (appwrite.endpoint) polling = pollForChanges({ changes, revalidate, shownPosts, log });
  const target = sweepTarget(configuration);
  const draftLinks = target && openDraftLinks(target, siteUrl);
  const people = target && peopleOf(target, configuration, revalidate);
  const passkeys =
    people &&
    createPasskeys(target, {
      siteUrl,
      siteName: () => settings?.now().site.name ?? configuration.site.name,
      isWished: () => settings?.now().effective.askForPasskeys === true,
      roleOf: people.roleOf,
    });
  return {
    /** Reads the stored settings. Call this once the backend has its schema, before anything is rendered. */
    async readSettings(): Promise<void> {
      const read = settings?.follow(async () => {
        sendErrorPage = statusPages(render);
        store.invalidate({ tags: [SITE] });
        purger?.purge({ tags: [SITE], paths: [] });
      });
      await Promise.race([read?.catch(() => undefined), sleep(SETTINGS_PATIENCE_MS, undefined, { ref: false })]);
      if (!appwrite.endpoint) return;
      settingsPoll = every(SETTINGS_POLL_MS, async () => {
        await followSettings('poll')?.catch(() => undefined);
        return SETTINGS_POLL_MS;
      });
    },
    /**
     * Removes the pages that show posts which a command unpublished or deleted while the site was stopped. Call this
     * once pages can be rendered. Does nothing with a remote Appwrite, which is polled for such posts.
     */
    async removeGone(): Promise<void> {
      if (appwrite.endpoint) return;
      const report = async (slugs: readonly string[]) => void (await publish({ slugs, gone: slugs, from: 'poll' }));
      const removed = lookForGone({ changes, shownPosts, report }).catch((error: unknown) => {
        isUntold = true;
        log('warn', 'The stored pages of posts that are no longer public could not be removed.', error);
      });
      await Promise.race([removed, sleep(GONE_PATIENCE_MS, undefined, { ref: false })]);
    },
    /** Starts publishing and unpublishing posts at their scheduled times. Call this once the backend has its schema. */
    keepSchedule(): void {
      if (!target) return;
      scheduler = keepSchedule({
        schedule: openSchedule(target),
        log,
        // Skipped with the embedded backend, which reports its own writes.
        published: async (slug, isGone, isOurs) => {
          if (!appwrite.endpoint) return;
          const gone = isGone ? [slug] : [];
          await revalidate({ slugs: [slug], gone, from: isOurs ? 'schedule' : 'poll' });
        },
      });
    },
    handlePage: createPageHandler({ store, redirects, refuse }),
    refuse,
    locals: {
      ...articles,
      limits: createApiLimits(),
      siteUrl,
      revalidate,
      explain: (path) => store.explain(path),
      verifySession: (headers) =>
        verifySession(
          {
            endpoint: appwrite.serverEndpoint,
            projectId: appwrite.projectId,
            ...(!appwrite.endpoint && { portNow }),
          },
          headers,
        ),
      tidyAfter: target && tidying(target, draftLinks),
      people,
      passkeys,
      draftLinks,
      ownerToken: openOwnerToken(configuration.dataDirectory),
      rebuildToken: publishing.rebuildToken,
      webhookSecret: publishing.webhookSecret,
      peerSecret: publishing.peerSecret,
      remotePictures: publishing.remotePictures,
      securityContact: publishing.securityContact,
      indexNowKey: publishing.notify.indexNowKey,
      webSubHub: publishing.notify.webSubHub,
    } satisfies PublishingLocals,
    statistics: () => store.statistics(),
    currentVariant: (path: string, encoding: Encoding) => store.currentVariant(path, encoding),
    /**
     * Call this for each event from the embedded backend, which delays its response to a write until the returned
     * promise resolves.
     */
    onEvent: ({ events, payload, userId, changed }: BackendEvent): Promise<void> | undefined => {
      isUntold ||= isOfStructure(events[0] ?? '');
      const name = concreteEvent(events);
      if (name && isOfArticle(name, articles)) {
        if (payload.publishAt || payload.unpublishAt) scheduler?.look();
        reader.postChanged(payload as unknown as ArticleDocument, name.endsWith('.delete'), changed);
      }
      const revalidation = name && revalidationFor(name, payload, articles, 'backend', changed);
      if (!revalidation) return undefined;
      revalidate(revalidation).catch((error: unknown) =>
        log('error', `The pages of ${name} could not be updated.`, error),
      );
      const { slugs } = revalidation;
      if (!slugs) return undefined;
      const pages = pagesOfWrite(slugs);
      store.prioritise(pages, `backend: ${slugs.map(postTag).join(' ')}`, userId ?? KEYS);
      return Promise.race([store.rendered(pages), sleep(WRITERS_PATIENCE_MS, undefined, { ref: false })]);
    },
    idle: async (): Promise<void> => {
      await scheduler?.stop();
      await store.idle();
    },
    close: async (left?: string): Promise<void> => {
      void polling?.stop();
      void settingsPoll?.stop();
      peers.close();
      if (purger) savePending(pendingFile, build, purger.close(), log);
      notifiers.close();
      store.close(underWay > 0 || isUntold ? undefined : left);
    },
  };
}

const UNCHANGED = { revalidated: [], removed: [], failed: [], outdated: 0, milliseconds: 0 };

function peopleOf(target: ServerTarget, { siteUrl, writers }: Configuration, revalidate: Revalidate): People {
  return createPeople(target, {
    siteUrl,
    writers,
    published: async ({ slugs, gone = [], authors = [] }) => {
      if (slugs.length + authors.length === 0) return;
      await revalidate({ slugs, gone, tags: authors.map(authorTag), from: 'backend' });
    },
  });
}

/** Opens the configured notifiers. Notifications that are still pending at shutdown are sent after the restart. */
function openNotifiers({ siteUrl, publishing: { notify, directory } }: Configuration) {
  const { indexNowKey: key, indexNowEndpoint: endpoint, webSubHub: hub } = notify;
  const drivers = [...(key ? [indexNow({ key, siteUrl, endpoint })] : []), ...(hub ? [webSub({ hub, siteUrl })] : [])];
  const notifiers = drivers.map((driver) => {
    const file = join(directory, `${driver.file}.json`);
    const purger = createPurger({ driver, siteUrl, log, pending: takePending(file, NOTIFICATIONS, () => undefined) });
    return { purger, close: () => savePending(file, NOTIFICATIONS, purger.close(), log) };
  });
  return {
    notify(paths: readonly string[]): void {
      if (paths.length > 0) for (const { purger } of notifiers) purger.purge({ tags: [], paths });
    },
    close(): void {
      for (const { close } of notifiers) close();
    },
  };
}

/** Cleans up a deleted or unpublished post's versions, link and pictures. Without a server key, the browser does it. */
function tidying(target: ServerTarget, links: DraftLinks | undefined): PublishingLocals['tidyAfter'] {
  const attempt = (work: Promise<unknown>, message: string) => work.catch((error) => log('warn', message, error));
  return async (slug) => {
    await attempt(dropVersions(target, slug), `The former versions of ${slug} could not be deleted.`);
    await attempt(
      forgetLink(links, slug),
      `The draft link of the deleted post ${slug} could not be removed, but it no longer works.`,
    );
    await attempt(
      hidePicturesOf(target, slug),
      `The pictures of ${slug} could not be hidden; the next sweep will try again.`,
    );
  };
}

async function forgetLink(links: DraftLinks | undefined, slug: string): Promise<void> {
  if (links && !(await links.post(slug))) await links.takeBack(slug);
}

/** Renders each error page once, so that a flood of invalid requests causes no renders. Sends JSON for /api paths. */
function statusPages(render: (path: string) => Promise<Response>) {
  const ready = new Map<number, { readonly headers: Record<string, string>; readonly body: Buffer }>();
  return async function sendPage(response: ServerResponse, status: number): Promise<void> {
    if (response.req.url?.startsWith('/api/')) {
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      response.writeHead(status, headers).end(JSON.stringify({ error: STATUS_CODES[status] }));
      return;
    }
    try {
      let page = ready.get(status);
      if (!page) {
        const rendered = await render(`/${status}`);
        page = { headers: Object.fromEntries(rendered.headers), body: Buffer.from(await rendered.arrayBuffer()) };
        if (rendered.status === status) ready.set(status, page);
      }
      const { headers, body } = page;
      response.writeHead(status, { ...headers, 'cache-control': 'no-store', 'content-length': body.length });
      response.end(body);
    } catch (error) {
      log('error', `The page for ${status} could not be rendered.`, error);
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${status}\n`);
    }
  };
}
