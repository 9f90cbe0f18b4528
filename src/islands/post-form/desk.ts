/** What the dialogs about versions need of the post form, and give back to it. */

import type { Post } from '#blog/post.ts';
import type { Version } from './difference/difference-of.ts';

export interface Desk {
  /** The post as this form loaded it, or as it was when the writer last compared; none while a new one is written. */
  readonly base: Post | undefined;
  /** What is in the form now. */
  readonly onScreen: () => Version;
  /** Puts a version into the form; only the writer publishes it. */
  readonly take: (version: Version) => void;
  /** From now on an update takes the place of this state of the post. */
  readonly rebase: (post: Post) => void;
  /** Goes to the text. */
  readonly focus: () => void;
  /** When nothing of the form is on its way any more: what stands in the way of going on, in words. */
  readonly ready: () => Promise<string | undefined>;
}

export interface OpenPost extends Desk {
  readonly base: Post;
}

/** What became of the form, and the way back where another version took its place. */
export interface Taken {
  readonly message: string;
  readonly back?: {
    /** On the button that puts `version` back. */
    readonly label: string;
    readonly version: Version;
  };
}

export const versionOf = ({ title, status, content, featuredImage }: Post): Version => ({
  title,
  status,
  content,
  picture: featuredImage,
});
