/** What to tell a writer whose post could not be saved. His words are in the form whatever it was. */

import { faultOf, postFormText, postMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { ChangedElsewhere } from '#stores/post-actions.ts';

export interface Failure {
  readonly message: string;
  /** The post as somebody else left it, when that is the reason. */
  readonly theirs?: Post;
  /** The post has been deleted meanwhile. */
  readonly isGone?: boolean;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ChangedElsewhere) {
    return {
      message: postFormText.changedElsewhere,
      theirs: error.post,
    };
  }
  if (faultOf(error).type === 'document_not_found') return { message: postFormText.deletedElsewhere, isGone: true };
  return { message: postMessage(error) };
}
