import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { queueText } from '#blog/messages/queue.ts';
import { postFormText } from '#blog/messages.ts';
import { ALL_POSTS } from '#blog/routes/paths.ts';
import { Button } from '#components/controls/Button.tsx';
import { TextLink } from '../TextLink.tsx';
import { $queue, tell } from './in-line.ts';
import { followQueue } from './send-queue.ts';

/** Sends the queued drafts and reports the results. */
export function QueueNotice({ userId }: { userId: string }) {
  useEffect(() => followQueue(userId), [userId]);
  const { news } = useStore($queue);
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-10 flex justify-center px-4">
      <div
        hidden={news.length === 0}
        className="pointer-events-auto w-full max-w-form rounded-md border border-edge bg-paper px-4 py-2 text-base shadow-lg"
      >
        <ul role="status" className="max-h-[40vh] list-none overflow-auto p-0">
          {news.map(({ copy, title, what, address }) => (
            <li key={copy} className="flex flex-wrap items-center gap-x-5">
              <span className="min-w-0 flex-1 basis-52 py-2 wrap-anywhere">{queueText[what]({ title })}</span>
              {address && <TextLink href={address}>{postFormText.read}</TextLink>}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center justify-between gap-x-5">
          {location.pathname === ALL_POSTS ? <span /> : <TextLink href={ALL_POSTS}>{queueText.seeList}</TextLink>}
          <Button tone="quiet" onClick={() => tell({ news: [] })}>
            {postFormText.closeNotice}
          </Button>
        </div>
      </div>
    </div>
  );
}
