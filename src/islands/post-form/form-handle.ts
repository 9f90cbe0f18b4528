/** The part of the post form that its dialogs read and change. */

import { type Post, postValues } from '#blog/post.ts';
import type { Version } from './difference/compute-difference.ts';

export interface FormHandle {
  /** The post as this form loaded or last compared it; undefined while a new one is written. */
  readonly base: Post | undefined;
  readonly onScreen: () => Version;
  /** Puts a version into the form; nothing is published by it. */
  readonly take: (version: Version) => void;
  /** Makes `post` the state that the next update replaces. */
  readonly rebase: (post: Post) => void;
  readonly focus: () => void;
  /** Resolves when no upload of the form is pending, with the reason why it cannot be sent, if there is one. */
  readonly ready: () => Promise<string | undefined>;
}

export interface EditedPostHandle extends FormHandle {
  readonly base: Post;
}

export interface TakenVersion {
  readonly message: string;
  readonly back?: {
    /** Label of the button that puts `version` back. */
    readonly label: string;
    readonly version: Version;
  };
}

export const versionOf = (post: Post): Version => postValues(post);
