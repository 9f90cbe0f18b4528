/** The slug follows the title until the writer takes it into his own hands. */

import { useRef } from 'react';
import { slugFromTitle } from '#blog/slug.ts';

export interface Slug {
  readonly edited: boolean;
  /** The title became `title`. */
  readonly follow: (title: string) => void;
  readonly take: (edited: boolean) => void;
  /** The slug's field was entered or left: while the writer is in it, nothing is written into it. */
  readonly enter: (inside: boolean) => void;
}

/** `locked` slugs stay as they are; others are handed to `write`. */
export function useSlug(locked: boolean, write: (slug: string) => void): Slug {
  const state = useRef({ edited: locked, inside: false, title: '', write });
  state.current.write = write;

  const apply = () => {
    const { title } = state.current;
    slugFromTitle(title).then(
      (made) => {
        const { edited, inside, title: now, write: writeNow } = state.current;
        if (now === title && !edited && !inside) writeNow(made);
      },
      (error: unknown) => console.error('The slug has to be written by hand:', error),
    );
  };

  return {
    get edited() {
      return state.current.edited;
    },
    follow: (title) => {
      state.current.title = title;
      apply();
    },
    take: (edited) => {
      state.current.edited = locked || edited;
    },
    enter: (inside) => {
      state.current.inside = inside;
      if (!inside && state.current.title) apply();
    },
  };
}
