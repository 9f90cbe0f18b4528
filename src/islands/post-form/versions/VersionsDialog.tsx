import { useEffect, useMemo, useState } from 'react';
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
import { TryAgain } from '../../lazy/TryAgain.tsx';
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
  const [list, setList] = useState<readonly RevisionSummary[] | 'unavailable'>();
  const [fault, setFault] = useState('');
  const [chosen, setChosen] = useState<RevisionSummary>();
  const [version, setVersion] = useState<FormerVersion>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt repeats the request.
  useEffect(() => {
    setFault('');
    formerVersions(form.base).then(
      (found) => {
        setList(found ?? 'unavailable');
        setChosen((before) => before ?? found?.[0]);
      },
      (error: unknown) => setFault(listMessage(error) || errorText.unreachable),
    );
  }, [attempt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads the version again.
  useEffect(() => {
    if (!chosen) return;
    let gone = false;
    setVersion(undefined);
    setFault('');
    formerVersion(chosen.id, form.base).then(
      (found) => !gone && setVersion(found),
      (error: unknown) => !gone && setFault(listMessage(error) || errorText.unreachable),
    );
    return () => {
      gone = true;
    };
  }, [chosen, attempt]);

  const restore = () => {
    if (!version) return;
    form.take({ ...screen, ...formValues(version), ...publicationOf(screen), featuredImage: version.picture });
    const message = versionText.restored({ moment: dateTimeText(version.writtenAt) });
    onTaken({ message, back: { label: versionText.putBack, version: screen } });
  };
  const versions = Array.isArray(list) ? list : [];
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
      {fault && (
        <div className="mb-4">
          <TryAgain fault={fault} onAgain={() => setAttempt(attempt + 1)} />
        </div>
      )}
      {!list && !fault && <Spinner label={versionText.loading} />}
      {list === 'unavailable' && <p>{versionText.versionsUnavailable}</p>}
      {Array.isArray(list) && list.length === 0 && <p>{versionText.versionsNone}</p>}
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
                  onClick={() => setChosen(one)}
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
              !fault && <Spinner label={versionText.loading} />
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** Returns the fields that are not restored from a former version, such as the kind, which determines the URL. */
const publicationOf = ({ status, publishAt, unpublishAt, kind, newsletter }: Version) => ({
  ...{ status, publishAt, unpublishAt, kind, newsletter },
});

/** Focuses the first version once the list is shown, unless the writer has moved the focus meanwhile. */
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

/** Returns kilobytes, at least 0.1, without decimals from 10 upwards. */
const kilobytes = (bytes: number): number => (bytes < 10_000 ? Math.max(0.1, bytes / 1000) : Math.round(bytes / 1000));
