import { faultOf, isForbidden } from '#blog/errors.ts';
import { postFormText, postMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { EditConflict } from '#stores/posts/post-actions.ts';

export interface Failure {
  readonly message: string;
  readonly theirs?: Post;
  readonly isGone?: boolean;
}

/** Returns the message and state for an error of a save. `isUpdate`: an existing post was sent, without a picture. */
export function failureOf(error: unknown, { isUpdate = false } = {}): Failure {
  if (error instanceof EditConflict) {
    return {
      message: postFormText.changedElsewhere,
      theirs: error.post,
    };
  }
  if (faultOf(error).type === 'document_not_found') return { message: postFormText.deletedElsewhere, isGone: true };
  return { message: isUpdate && isForbidden(error) ? postFormText.notYours : postMessage(error) };
}
