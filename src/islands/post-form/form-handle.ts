import type { Post } from '#blog/post.ts';
import type { Version } from './difference/compute-difference.ts';

export interface FormHandle {
  /** The stored version that this form last loaded or was compared with; undefined for a new post. */
  readonly base: Post | undefined;
  readonly onScreen: () => Version;
  readonly take: (version: Version) => void;
  /** Sets the work to do after the post is next updated; undefined cancels it. */
  readonly afterSaving: (work: (() => Promise<unknown>) | undefined) => void;
  /** Makes `post` the version that the next update replaces. */
  readonly rebase: (post: Post) => void;
  readonly focus: () => void;
  /** Waits for all uploads, then resolves to the reason why the form cannot be sent, or to undefined if it can. */
  readonly ready: () => Promise<string | undefined>;
}

export interface EditedPostHandle extends FormHandle {
  readonly base: Post;
}

export interface TakenVersion {
  readonly message: string;
  /** `undo` reverts any effects of the choice that are not changes to the form's values. */
  readonly back?: { readonly label: string; readonly version: Version; readonly undo?: () => void };
}
