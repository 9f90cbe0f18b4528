import { useState } from 'react';
import { allPostsText } from '#blog/messages/all-posts.ts';
import { listText, postText, statusMessage } from '#blog/messages.ts';
import type { PostSummary } from '#blog/post.ts';
import { editPostPath, LOGIN } from '#blog/routes/paths.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { changeStatus, type PostListQuery } from '#stores/posts/post-lists.ts';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { writerLocale } from '../post-form/format-time.ts';
import { useWork } from '../use-work.ts';

const DraftLinkDialog = lazyPart(() => import('../draft-link/DraftLinkDialog.tsx'), 'DraftLinkDialog');

interface OwnPostProps {
  readonly post: PostSummary;
  readonly wanted: PostListQuery;
  /** Announces a result to screen readers. */
  readonly onDone: (words: string) => void;
  readonly onDelete: () => void;
  readonly failure: string;
}

export function OwnPost({ post, wanted, onDone, onDelete, failure }: OwnPostProps) {
  const { busy, failure: refusal, run } = useWork(statusMessage);
  const isActive = post.status === 'active';
  const [sharing, setSharing] = useState(false);

  const { title } = post;
  const turn = async () => {
    await changeStatus(post, isActive ? 'inactive' : 'active', wanted);
    onDone((isActive ? allPostsText.deactivated : allPostsText.activated)({ title }));
  };
  return (
    <div className="relative z-3 mt-3 border-t border-hairline pt-1">
      {!isActive && post.publishAt && <Hour words={allPostsText.publishedAt} at={post.publishAt} />}
      {isActive && post.unpublishAt && <Hour words={allPostsText.unpublishedAt} at={post.unpublishAt} />}
      <div className="-mx-2 flex flex-wrap">
        <span className="flex">
          <Tool label={postText.edit} name={allPostsText.editOf({ title })} href={editPostPath(post.id)} />
          <Tool label={allPostsText.preview} name={allPostsText.previewOf({ title })} href={addressOfPost(post)} />
        </span>
        <span className="flex">
          <Tool
            label={isActive ? allPostsText.deactivate : allPostsText.activate}
            name={(isActive ? allPostsText.deactivateOf : allPostsText.activateOf)({ title })}
            busy={busy !== ''}
            onClick={() => void run('status', turn)}
          />
          {!isActive && (
            <Tool label={allPostsText.share} name={allPostsText.shareOf({ title })} onClick={() => setSharing(true)} />
          )}
          <Tool label={postText.delete} name={allPostsText.deleteOf({ title })} onClick={onDelete} />
        </span>
      </div>
      {sharing && (
        <DraftLinkDialog slug={post.id} onClose={() => setSharing(false)} onFault={() => setSharing(false)} />
      )}
      <Banner message={failure || refusal} className="mt-2 empty:hidden" />
      {refusal === listText.sessionEnded && (
        <a href={LOGIN} className="mt-2 inline-block text-sm text-accent underline">
          {allPostsText.signInAgain}
        </a>
      )}
    </div>
  );
}

/** Shows a scheduled time in the writer's time zone, unless it has passed. */
function Hour({ words, at }: { words: (values: { readonly time: string }) => string; at: string }) {
  if (Date.parse(at) <= Date.now()) return null;
  const zoned = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  const time = new Date(at).toLocaleString(writerLocale(), { ...zoned, timeZoneName: 'short' });
  return <p className="pt-2 text-sm font-medium">{words({ time })}</p>;
}

interface ToolProps {
  readonly label: string;
  /** The accessible name: the label and the title of the post. */
  readonly name: string;
  readonly href?: string;
  readonly busy?: boolean;
  readonly onClick?: () => void;
}

function Tool({ label, name, href, busy = false, onClick }: ToolProps) {
  const look =
    'inline-flex min-h-11 min-w-11 items-center justify-center rounded-sm px-2 text-sm text-soft hover:text-ink hover:underline aria-disabled:opacity-60';
  const shared = { 'aria-label': name, className: look };
  if (href) {
    return (
      <a href={href} {...shared}>
        {label}
      </a>
    );
  }
  const onPress = busy ? undefined : onClick;
  return (
    <button type="button" aria-disabled={busy || undefined} aria-busy={busy || undefined} onClick={onPress} {...shared}>
      {label}
    </button>
  );
}
