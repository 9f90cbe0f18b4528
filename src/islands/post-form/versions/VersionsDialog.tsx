import { useMemo, useState } from 'react';
import { countWords } from '#blog/content/words.ts';
import { versionText } from '#blog/messages/versions.ts';
import { errorText, listMessage } from '#blog/messages.ts';
import { formValues } from '#blog/post.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import {
  type FormerVersion,
  formerVersion,
  formerVersions,
  type RevisionSummary,
} from '#stores/posts/former-versions.ts';
import { TryAgain } from '../../lazy/lazy-part.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { type Difference, differenceOf, type Version } from '../difference/compute-difference.ts';
import { DifferenceView } from '../difference/DifferenceView.tsx';
import type { EditedPostHandle, TakenVersion } from '../form-handle.ts';
import { dateTimeText } from '../format-time.ts';

interface VersionsDialogProps {
  readonly form: EditedPostHandle;
  readonly onTaken: (taken: TakenVersion) => void;
  readonly onClose: () => void;
}

export function VersionsDialog({ form, onTaken, onClose }: VersionsDialogProps) {
  const [screen] = useState(() => form.onScreen());
  const list = useLoaded(async () => (await formerVersions(form.base)) ?? 'unavailable');
  const versions = Array.isArray(list.value) ? list.value : [];
  const [picked, setPicked] = useState<RevisionSummary>();
  const chosen = picked ?? versions[0];
  const loaded = useLoaded(async () => chosen && formerVersion(chosen.id, form.base), [chosen]);
  const version = loaded.value;
  const failed = [list, loaded].find(({ error }) => error !== undefined);

  const restore = () => {
    if (!version) return;
    form.take({ ...screen, ...formValues(version), ...publicationOf(screen), featuredImage: version.picture });
    const message = versionText.restored({ moment: dateTimeText(version.writtenAt) });
    onTaken({ message, back: { label: versionText.putBack, version: screen } });
  };
  return (
    <Dialog
      wide
      title={versionText.versionsTitle}
      description={versions.length > 0 ? versionText.versionsHelp : undefined}
      onClose={onClose}
      actions={
        <>
          <Button tone="quiet" ref={focusFirst} onClick={onClose}>
            {versionText.close}
          </Button>
          {versions.length > 0 && (
            <Button aria-disabled={!version || undefined} onClick={restore}>
              {versionText.restore}
            </Button>
          )}
        </>
      }
    >
      {failed && (
        <div className="mb-4">
          <TryAgain fault={listMessage(failed.error) || errorText.unreachable} onAgain={failed.retry} />
        </div>
      )}
      {!list.value && !failed && <Spinner label={versionText.loading} />}
      {list.value === 'unavailable' && <p>{versionText.versionsUnavailable}</p>}
      {Array.isArray(list.value) && versions.length === 0 && <p>{versionText.versionsNone}</p>}
      {versions.length > 0 && (
        <div className="grid gap-5 md:grid-cols-[15rem_minmax(0,1fr)]">
          <ol
            ref={beginInList}
            aria-label={versionText.versionsTitle}
            className="grid max-h-52 list-none content-start gap-1 overflow-auto md:sticky md:top-0 md:max-h-[60vh] md:self-start"
          >
            {versions.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  aria-pressed={one === chosen}
                  onClick={() => setPicked(one)}
                  className="grid w-full rounded-sm border border-s-3 border-transparent px-3 py-2 text-start text-sm hover:bg-well focus-visible:-outline-offset-2 aria-pressed:border-edge aria-pressed:border-s-accent aria-pressed:bg-well"
                >
                  <time dateTime={one.writtenAt} className="font-medium">
                    {dateTimeText(one.writtenAt)}
                  </time>
                  <span className="text-xs text-soft">
                    {versionText.size({ kilobytes: kilobytes(one.size) })}
                    {one.status === 'inactive' && ` · ${versionText.inactive}`}
                  </span>
                  <span className="truncate text-soft" dir="auto">
                    {one.title}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <div className="min-w-0" aria-live="polite">
            {version ? (
              <Compared version={version} screen={screen} />
            ) : (
              !failed && <Spinner label={versionText.loading} />
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** Returns the fields that are not restored from a previous version, such as the kind, which determines the URL. */
const publicationOf = ({ status, publishAt, unpublishAt, kind, newsletter }: Version) => ({
  ...{ status, publishAt, unpublishAt, kind, newsletter },
});

/** Focuses the first version once the list is shown, unless the writer has moved the focus in the meantime. */
const beginInList = (list: HTMLElement | null) => {
  if (document.activeElement?.hasAttribute('autofocus')) list?.querySelector('button')?.focus();
};

function Compared({ version, screen }: { version: FormerVersion; screen: Version }) {
  const difference = useMemo(() => {
    const featuredImage = version.picture || undefined;
    const before = { ...formValues(version), ...publicationOf(screen), featuredImage };
    return differenceOf(before, screen);
  }, [version, screen]);
  const words = useMemo(() => countWords(textOf(difference)), [difference]);
  const names = {
    before: versionText.versionOf({ moment: dateTimeText(version.writtenAt) }),
    after: versionText.yourVersion,
  };
  return (
    <>
      <p className="mb-3 text-sm text-soft">
        {versionText.words({ count: words })}, {versionText.ofHtml({ kilobytes: kilobytes(version.size) })}
      </p>
      <DifferenceView difference={difference} names={names} />
    </>
  );
}

const textOf = ({ rows }: Difference): string =>
  rows
    .map(({ before }) => before?.tokens.map(({ kind, text }) => (kind === 'word' ? text : ' ')).join('') ?? '')
    .join('\n');

/** Converts bytes to kilobytes: at least 0.1, and a whole number from 10 kB upwards. */
const kilobytes = (bytes: number): number => (bytes < 10_000 ? Math.max(0.1, bytes / 1000) : Math.round(bytes / 1000));
