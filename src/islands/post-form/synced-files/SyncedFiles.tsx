import { faultOf } from '#blog/errors.ts';
import { syncedFileText } from '#blog/messages/synced-files.ts';
import { errorText, wordsFor } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import type { SyncedFile } from '#blog/synced-file.ts';
import { Button } from '#components/controls/Button.tsx';
import { type FileVersion, fileVersion, settle } from '#stores/posts/file-conflicts.ts';
import { useWork } from '../../use-work.ts';
import { dateTimeText, writerLocale } from '../format-time.ts';
import { Notice } from '../notices/Notice.tsx';

interface FileConflictProps {
  readonly file: SyncedFile;
  readonly post: Post;
  readonly onCompare: (file: SyncedFile, version: () => Promise<FileVersion>) => void;
  /** Called with a message for the writer once the conflict is resolved. */
  readonly onSettled: (message: string) => void;
}

export function FileConflict({ file, post, onCompare, onSettled }: FileConflictProps) {
  const { busy, failure, run } = useWork((error) =>
    faultOf(error).code === 409 ? syncedFileText.changedAgain : wordsFor(error, errorText.submitFailed),
  );
  const keep = async () => {
    await settle(file, await fileVersion(file, post));
    onSettled(syncedFileText.settled);
  };
  return (
    <Notice aria-label={syncedFileText.label}>
      <div className="grid min-w-0 flex-1 basis-60 gap-2">
        <p className="wrap-anywhere">{syncedFileText.conflict({ path: file.path })}</p>
        {failure && (
          <p role="alert" className="text-danger">
            {failure}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => onCompare(file, () => fileVersion(file, post))}>{syncedFileText.compare}</Button>
        <Button tone="quiet" busy={busy !== ''} onClick={() => void run('keep', keep)}>
          {syncedFileText.keepPost}
        </Button>
      </div>
    </Notice>
  );
}

/** Shows the paths of the post's synced files, and when each file was last in sync. */
export function FilesNote({ files }: { readonly files: readonly SyncedFile[] }) {
  return files.map(({ id, path, state, equalAt }) => (
    <p key={id} className="text-xs wrap-anywhere text-soft">
      {syncedFileText.kept({ path })}{' '}
      {state === 'settled'
        ? syncedFileText.settled
        : equalAt && (
            <time dateTime={equalAt} title={dateTimeText(equalAt)}>
              {equalText(equalAt)}
            </time>
          )}
    </p>
  ));
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Describes when the file was last in sync, for example `Last synced 3 minutes ago.` */
function equalText(iso: string): string {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? [];
  if (!unit || !size) return syncedFileText.justNow;
  const format = new Intl.RelativeTimeFormat(writerLocale(), { numeric: 'auto' });
  return syncedFileText.equal({ time: format.format(-Math.floor(seconds / size), unit) });
}
