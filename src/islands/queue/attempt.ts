import type { Attempt } from '#stores/posts/post-actions.ts';
import type { Queued } from '../post-form/draft/draft-store.ts';

/** Converts a stored attempt for a retry. `image` is the draft's featured image. */
export const attemptOf = ({ attempt }: Queued, image: File | undefined): Attempt => ({
  slug: attempt?.slug,
  fileId: attempt?.fileId,
  file: attempt?.isCurrent ? image : undefined,
});

export const storedAttempt = ({ slug, fileId, file }: Attempt, image: File | undefined): Queued['attempt'] => ({
  slug,
  fileId,
  isCurrent: file !== undefined && file === image,
});
