/** In what a copy on this device differs from the post as the site has it; computed and loaded when it is opened. */

import { useEffect, useMemo, useState } from 'react';
import { foundDraftText } from '#blog/messages/found-drafts.ts';
import type { Post } from '#blog/post.ts';
import { LazyDifference } from './difference/LazyDifference.tsx';
import { type Draft, pictureOf } from './draft.ts';

export function DraftDifference({ draft, post }: { draft: Draft; post: Post }) {
  const [isOpen, setOpen] = useState(false);
  const [picture, setPicture] = useState<File>();
  useEffect(() => {
    if (isOpen) void pictureOf(draft).then(setPicture);
  }, [isOpen, draft]);
  const before = useMemo(
    () => ({ ...versionOf(post), ...(picture && { picture: post.featuredImage }) }),
    [post, picture],
  );
  const after = useMemo(() => ({ ...versionOf(draft), ...(picture && { picture }) }), [draft, picture]);
  return (
    <details className="min-w-0 basis-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer py-2 pointer-coarse:py-3 text-sm font-medium">
        {foundDraftText.compare}
      </summary>
      <div className="mt-2 max-h-[60vh] overflow-auto">
        {isOpen && (
          <LazyDifference
            before={before}
            after={after}
            names={{ before: foundDraftText.site, after: foundDraftText.copy }}
          />
        )}
      </div>
    </details>
  );
}

const versionOf = ({ title, status, content }: Post | Draft) => ({
  title,
  content,
  status: status === 'inactive' ? ('inactive' as const) : ('active' as const),
});
