/** Keeps the site's appearance up to date by reading the owner's stored settings again after each change. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnerSettings } from '#api/locals.ts';
import { namesOf } from '#backend/people/accounts.ts';
import { whoWrites } from '#backend/people/who-writes.ts';
import { openSettingsStore } from '#backend/settings/stored-settings.ts';
import { faultOf } from '#blog/errors.ts';
import { language, setLanguage } from '#blog/messages/language.ts';
import { type SettingsVersion, settingsIn } from '#blog/site-settings/settings.ts';
import type { Configuration } from '../configuration.ts';
import { sweepTarget } from '../jobs/sweep.ts';
import { log } from '../log/log.ts';
import { type Appearance, appearanceOf } from './appearance.ts';

/** Copy of the settings for starting while the backend is down. Stored next to the pages rendered with them. */
const COPY = 'settings.json';
/** First line of the copy if only members may write posts. */
const MEMBERS_ONLY = 'members\n';

export type SiteSettings = ReturnType<typeof openSiteSettings>;

/** Returns the appearance with the settings that the last server run saved. */
export const storedAppearance = (configuration: Configuration): Appearance =>
  appearanceIn(configuration, readCopy(configuration));

const appearanceIn = (configuration: Configuration, copy: string): Appearance =>
  appearanceOf(configuration, settingsIn(copy.replace(MEMBERS_ONLY, '')).settings, copy.startsWith(MEMBERS_ONLY));

/** @param changed called after each change, once `now` returns the new settings */
export function openSiteSettings(
  configuration: Configuration,
  portNow?: () => number | undefined,
  changed: () => void = () => undefined,
) {
  const { appwrite, embedded } = configuration;
  const target = sweepTarget(configuration);
  const store = target && openSettingsStore(target, appwrite.endpoint ? undefined : portNow);
  let text = readCopy(configuration);
  let mark: string | undefined;
  let current = appearanceIn(configuration, text);

  async function state(): ReturnType<OwnerSettings['state']> {
    const versions = (await store?.versions()) ?? [];
    const ids = [...new Set(versions.map(({ userId }) => userId).filter(Boolean))];
    const names = target ? await namesOf(target, ids) : {};
    const [newest = NEVER_SAVED, ...former] = versions.map(
      ({ text, ...version }): SettingsVersion => ({
        ...version,
        userName: names[version.userId] ?? '',
        ...settingsIn(text),
      }),
    );
    return {
      current: newest,
      former,
      fixed: configuration.operator.places,
      effective: appearanceOf(configuration, newest.settings).effective,
      sendsMail: !appwrite.endpoint && embedded.mail !== undefined,
    };
  }

  /**
   * Reads the settings if they were changed. Returns true if they differ from the current ones. Rejects if the backend
   * does not respond.
   */
  async function reload(): Promise<boolean> {
    const writers = target && (await whoWrites(target));
    const found = `${writers} ${(await store?.mark()) ?? ''}`;
    if (found === mark) return false;
    const stored = (await store?.versions(1))?.[0]?.text ?? '';
    const read = writers === 'members' ? MEMBERS_ONLY + stored : stored;
    mark = found;
    if (read === text) return false;
    text = read;
    current = appearanceIn(configuration, text);
    if (current.site.language !== language()) setLanguage(current.site.language);
    changed();
    return true;
  }

  function writeCopy(): void {
    const { directory } = configuration.publishing;
    try {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, `${COPY}.new`), text, { flush: true });
      renameSync(join(directory, `${COPY}.new`), join(directory, COPY));
    } catch (error) {
      log(
        'warn',
        'Could not store a copy of the settings beside the pages; the next start will render all pages again.',
        error,
      );
    }
  }

  let turn: Promise<unknown> = Promise.resolve();
  let isUnread = false;
  let isPending = false;

  return {
    now: (): Appearance => current,

    /**
     * Reads the settings again; concurrent calls run one after another. If the settings have changed, calls `outdate`,
     * which resolves once no current page shows the old ones. If the backend does not respond, rejects and keeps the
     * old settings.
     */
    follow<Report>(outdate: () => Promise<Report>): Promise<Report | undefined> {
      const work = turn.then(async () => {
        // Calls `outdate` again if the last call failed, even if the settings have not changed since.
        isPending = (await reload()) || isPending;
        isUnread = false;
        if (!isPending) return undefined;
        const report = await outdate();
        isPending = false;
        writeCopy();
        return report;
      });
      turn = work.catch((error: unknown) => {
        const { message } = faultOf(error);
        if (!isUnread)
          log('warn', `The new settings could not be applied, so pages keep the old ones for now. ${message}`);
        isUnread = true;
      });
      return work;
    },

    /** Returns the functions behind the owner's settings page; undefined without a server key. */
    forOwners(render: (path: string, appearance: Appearance) => Promise<Response>): OwnerSettings | undefined {
      return (
        store && {
          state,
          async save(headers, userId, { base, settings }) {
            const [newest] = await store.versions(1);
            if ((newest?.version ?? 0) !== base) return false;
            const isAdded = await store.add(headers, { version: base + 1, userId, text: JSON.stringify(settings) });
            if (isAdded)
              await store
                .prune()
                .catch((error) => log('warn', 'Old versions of the settings could not be deleted.', error));
            return isAdded;
          },
          preview: (path, settings) => render(path, appearanceOf(configuration, settings, current.site.membersOnly)),
        }
      );
    },
  };
}

const NEVER_SAVED: SettingsVersion = { version: 0, savedAt: '', userId: '', userName: '', settings: {}, faults: [] };

/** Returns the copy, or '' if it cannot be read. At startup, the server compares it with the backend's settings. */
function readCopy({ publishing }: Pick<Configuration, 'publishing'>): string {
  try {
    return readFileSync(join(publishing.directory, COPY), 'utf8');
  } catch {
    return '';
  }
}
