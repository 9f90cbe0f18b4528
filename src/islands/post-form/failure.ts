/** What to tell a writer whose post could not be saved. His words are in the form whatever it was. */

import { postFormText, postMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { ChangedElsewhere } from '#stores/post-actions.ts';

export interface Failure {
  readonly message: string;
  /** The post as somebody else left it, when that is the reason. */
  readonly theirs?: Post;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ChangedElsewhere) {
    return {
      message: postFormText.changedElsewhere,
      theirs: error.post,
    };
  }
  return { message: postMessage(error) };
}
