import { useEffect, useMemo, useState } from 'react';
import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { postFormText } from '#blog/messages.ts';
import { formValues, type Post } from '#blog/post.ts';
import { Spinner } from '#components/controls/Spinner.tsx';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { Disclosure } from '../Disclosure.tsx';
import { type Draft, FEATURED, picturesOf } from './draft-store.ts';

const DifferenceOf = lazyPart(() => import('../difference/DifferenceView.tsx'), 'DifferenceOf');

export function DraftDifference({ draft, post }: { draft: Draft; post: Post }) {
  const [isOpen, setOpen] = useState(false);
  const [picture, setPicture] = useState<File>();
  useEffect(() => {
    if (isOpen) void picturesOf(draft).then((pictures) => setPicture(pictures?.get(FEATURED)));
  }, [isOpen, draft]);
  const before = useMemo(
    () => ({ ...formValues(post), ...(picture && { featuredImage: post.featuredImage }) }),
    [post, picture],
  );
  const after = useMemo(() => ({ ...formValues(draft), ...(picture && { featuredImage: picture }) }), [draft, picture]);
  return (
    <Disclosure label={recoveredDraftText.compare} isOpen={isOpen} onToggle={setOpen} className="min-w-0 basis-full">
      <div className="mt-2 max-h-[60vh] overflow-auto">
        {isOpen && (
          <DifferenceOf
            fallback={<Spinner label={postFormText.loading} />}
            before={before}
            after={after}
            names={{ before: recoveredDraftText.site, after: recoveredDraftText.copy }}
          />
        )}
      </div>
    </Disclosure>
  );
}
