/** Makes the slug follow the title until the writer edits it. */

import { useRef } from 'react';
import { slugFromTitle } from '#blog/slug.ts';

export interface Slug {
  readonly edited: boolean;
  /** Makes a slug of `title`. */
  readonly follow: (title: string) => void;
  readonly take: (edited: boolean) => void;
  /** Notes that the slug's field was entered or left: nothing is written into a focused field. */
  readonly enter: (inside: boolean) => void;
}

/** Keeps a `locked` slug as it is, and one that the writer has `edited`; others are passed to `write`. */
export function useSlug(locked: boolean, edited: boolean | undefined, write: (slug: string) => void): Slug {
  const state = useRef({ edited: locked || edited === true, inside: false, title: '', write });
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
