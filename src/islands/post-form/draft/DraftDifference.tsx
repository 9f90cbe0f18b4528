/** Compares a draft with the published post; computed when it is opened. */

import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { postFormText } from '#blog/messages.ts';
import { formValues, type Post } from '#blog/post.ts';
import { Spinner } from '#components/controls/Spinner.tsx';
import { Disclosure } from '../Disclosure.tsx';
import { TryAgain } from '../lazy/TryAgain.tsx';
import { useLazyComponent } from '../lazy/use-lazy-component.ts';
import { type Draft, FEATURED, picturesOf } from './draft-store.ts';

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
          <LazyDifference
            before={before}
            after={after}
            names={{ before: recoveredDraftText.site, after: recoveredDraftText.copy }}
          />
        )}
      </div>
    </Disclosure>
  );
}

/** Loads the comparison of two versions when it is first shown. */
function LazyDifference(props: ComponentProps<typeof import('../difference/DifferenceView.tsx').DifferenceOf>) {
  const { Component, retry } = useLazyComponent(true, () => import('../difference/DifferenceView.tsx'), 'DifferenceOf');
  if (Component) return <Component {...props} />;
  if (retry) return <TryAgain onAgain={retry} />;
  return <Spinner label={postFormText.loading} />;
}
