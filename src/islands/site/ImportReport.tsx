import { Fragment, type ReactNode, type Ref } from 'react';
import { IMPORT_ENTRIES, type ImportEntry, type ImportState } from '#blog/import.ts';
import { groupNotes } from '#blog/import-notes.ts';
import { importMessage, importText } from '#blog/messages/import.ts';
import { postPath } from '#blog/routes/paths.ts';
import { Button } from '#components/controls/Button.tsx';
import { importReport } from '#stores/imports.ts';
import { saveFile } from '../save-file.ts';

interface ImportReportProps {
  readonly state: ImportState;
  readonly heading: Ref<HTMLHeadingElement>;
  readonly onStart: () => void;
  readonly onFailure: (message: string) => void;
  readonly children: ReactNode;
}

const SUMS = ['taken', 'updated', 'unchanged', 'skipped', 'failed', 'lossy', 'pictures'] as const;

export function ImportReport({ state, heading, onStart, onFailure, children }: ImportReportProps) {
  const { phase, name, counts, entries, isCancelled, reason } = state;
  const isDone = phase === 'imported';
  const words = isDone ? importText.were : importText.would;
  const sums = SUMS.filter((each) => counts[each] > 0).map((each) => words[each]({ count: counts[each] }));
  const mayImport = phase === 'looked' && counts.taken + counts.updated > 0;
  const download = async () => {
    try {
      saveFile(await importReport(state.id), 'import.txt');
    } catch (error) {
      onFailure(importMessage(error));
    }
  };
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        {phase === 'failed'
          ? importText.failedTitle
          : !isDone
            ? importText.wouldTitle
            : isCancelled
              ? importText.cancelledTitle
              : importText.doneTitle}
      </h2>
      <p className="mt-1 text-base text-soft wrap-anywhere">
        <bdi>{name}</bdi>
      </p>
      {phase === 'failed' && (
        <>
          <p className="mt-4 text-base">{importText.failedHelp}</p>
          <p lang="en" className="mt-2 text-base text-danger wrap-anywhere">
            {reason}
          </p>
        </>
      )}
      <ul className="mt-4 list-none p-0 text-base">
        {sums.map((sum) => (
          <li key={sum}>{sum}.</li>
        ))}
        {sums.length === 0 && phase !== 'failed' && <li>{importText.nothing}</li>}
      </ul>
      {isCancelled && <p className="mt-3 text-base text-soft">{importText.cancelledHelp}</p>}
      {counts.lossy > 0 && (
        <p className="mt-3 text-base text-danger">{isDone ? importText.lossesDone : importText.lossesWould}</p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        {mayImport && <Button onClick={() => onStart()}>{importText.importNow}</Button>}
        {isDone && isCancelled && <Button onClick={() => onStart()}>{importText.goOn}</Button>}
        {children}
        {entries.length > 0 && (
          <Button tone="quiet" onClick={() => void download()}>
            {importText.download}
          </Button>
        )}
      </div>
      {entries.length > 0 && <Entries entries={entries} hasPosts={isDone} />}
    </>
  );
}

function Entries({ entries, hasPosts }: { entries: readonly ImportEntry[]; hasPosts: boolean }) {
  const { shared, entries: single } = groupNotes(entries);
  const listed = single.filter(
    ({ outcome, reason, losses = [], notes }) =>
      reason || losses.length + notes.length > 0 || outcome === 'failed' || outcome === 'skipped',
  );
  return (
    <section aria-labelledby="import-entries" className="mt-10">
      <h3 id="import-entries" className="text-lg">
        {importText.list}
      </h3>
      <p className="mt-1 text-sm text-soft empty:hidden">
        {[importText.inEnglish, entries.length === IMPORT_ENTRIES && importText.more({ shown: IMPORT_ENTRIES })]
          .filter(Boolean)
          .join(' ')}
      </p>
      <ul className="mt-3 list-none divide-y divide-hairline border-t border-hairline p-0">
        {shared.map(({ text, isLoss, entries: posts }) => (
          <li key={`${isLoss} ${text}`} className="py-3 wrap-anywhere">
            <p className={isLoss ? 'text-sm text-danger' : 'text-sm text-soft'}>
              {isLoss && importText.lost} <span lang="en">{text}</span>
            </p>
            <p className="mt-1 text-sm text-soft">
              {importText.inPosts({ count: posts.length })}{' '}
              {posts.map((post, index) => (
                <Fragment key={post.path}>
                  {index > 0 && ', '}
                  <PostName entry={post} isLink={hasPosts} />
                </Fragment>
              ))}
            </p>
          </li>
        ))}
        {listed.map((entry) => (
          <li key={entry.path} className="py-3 wrap-anywhere">
            <p className="text-base font-medium">
              <PostName entry={entry} isLink={hasPosts} />{' '}
              <span className={`text-sm font-normal ${entry.outcome === 'failed' ? 'text-danger' : 'text-soft'}`}>
                {importText.outcomes[entry.outcome]}
              </span>
            </p>
            <div className="text-sm text-soft">
              {entry.reason && <p lang="en">{entry.reason}</p>}
              {entry.losses?.map((loss) => (
                <p key={loss} className="text-danger">
                  {importText.lost} <span lang="en">{loss}</span>
                </p>
              ))}
              {entry.notes.map((each) => (
                <p key={each} lang="en">
                  {each}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PostName({ entry: { path, slug, address, title }, isLink }: { entry: ImportEntry; isLink: boolean }) {
  return isLink && slug ? (
    <a href={address ?? postPath(slug)} className="hover:text-accent">
      <bdi>{title || path}</bdi>
    </a>
  ) : (
    <bdi>{title || path}</bdi>
  );
}
